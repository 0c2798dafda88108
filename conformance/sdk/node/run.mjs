// Makes one call with the official SDK: what to do comes as JSON on standard input, what came of it leaves as JSON on
// standard output. How it is driven and what the members mean stands in ../node.py.
import { text } from 'node:stream/consumers';
import process from 'node:process';
import OpenAI from 'openai';

const wish = JSON.parse(await text(process.stdin));
const client = new OpenAI(wish.client);
const outcome = { chunks: [] };

try {
  if (wish.call === 'create') {
    outcome.result = await client.chat.completions.create(wish.body, wish.options);
  } else if (wish.call === 'stream') {
    const stream = await client.chat.completions.create({ ...wish.body, stream: true }, wish.options);
    for await (const chunk of stream) {
      outcome.chunks.push(chunk);
      if (outcome.chunks.length === wish.leave_after) break; // which aborts the request
    }
  } else if (wish.call === 'helper') {
    outcome.result = await client.chat.completions.stream(wish.body, wish.options).finalChatCompletion();
  } else if (wish.call === 'responses.create') {
    outcome.result = await client.responses.create(wish.body, wish.options);
  } else if (wish.call === 'responses.stream') {
    for await (const event of await client.responses.create({ ...wish.body, stream: true }, wish.options)) {
      outcome.chunks.push(event);
    }
  } else if (wish.call === 'responses.helper') {
    outcome.result = await client.responses.stream(wish.body, wish.options).finalResponse();
  } else if (['responses.retrieve', 'responses.cancel', 'responses.delete'].includes(wish.call)) {
    outcome.result = await client.responses[wish.call.slice('responses.'.length)](wish.id);
  } else if (wish.call === 'responses.inputItems.list') {
    for await (const item of client.responses.inputItems.list(wish.id)) outcome.chunks.push(item);
  } else if (wish.call === 'responses.socket') {
    const { ResponsesWS } = await import('openai/resources/beta/responses/ws');
    const socket = new ResponsesWS(client, { handshakeTimeout: 10_000 });
    const turns = wish.body.turns;
    for await (const each of socket.stream()) {
      const event = each.type === 'error' ? each.error.error : each.message;
      if (event) outcome.chunks.push(event);
      else if (each.type === 'error') throw each.error;
      const ended = ['response.completed', 'error'].includes(event?.type);
      if (each.type !== 'open' && !ended) continue;
      if (turns.length === 0) break;
      socket.send({ type: 'response.create', ...turns.shift() });
    }
    socket.close();
  } else if (wish.call === 'models') {
    for await (const model of client.models.list()) outcome.chunks.push(model);
  } else {
    throw new Error(`no such call: ${wish.call}`);
  }
} catch (error) {
  if (!(error instanceof OpenAI.OpenAIError)) throw error;
  const { status, code, type, param, message, requestID } = error;
  outcome.error = { name: error.constructor.name, status, code, type, param, message, request_id: requestID };
}

process.stdout.write(JSON.stringify(outcome));
