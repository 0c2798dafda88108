// Makes calls with one of the official SDKs of Anthropic, one after the other: what to do comes as JSON on standard input,
// what came of each leaves as JSON on standard output. How it is driven and what the members mean stands in
// ../anthropic_node.py.
import { text } from 'node:stream/consumers';
import process from 'node:process';

const wish = JSON.parse(await text(process.stdin));
const { default: Anthropic } = await import(wish.package);
const client = new Anthropic(wish.client);

async function make(call, body, outcome) {
  if (call === 'create') {
    outcome.result = await client.messages.create(body);
  } else if (call === 'stream') {
    for await (const event of await client.messages.create({ ...body, stream: true })) outcome.events.push(event);
  } else if (call === 'helper') {
    outcome.result = await client.messages.stream(body).finalMessage();
  } else if (call === 'count') {
    const { max_tokens: unwanted, ...rest } = body;
    outcome.result = await client.messages.countTokens(rest);
  } else if (call === 'models') {
    for await (const model of client.models.list()) outcome.events.push(model);
  } else {
    throw new Error(`no such call: ${call}`);
  }
}

const outcomes = [];
for (const { call, body } of wish.calls) {
  const outcome = { events: [] };
  try {
    await make(call, body, outcome);
  } catch (error) {
    if (!(error instanceof Anthropic.AnthropicError)) throw error;
    const { status, type, message, requestID } = error;
    outcome.error = { name: error.constructor.name, status, type, message, request_id: requestID };
  }
  outcomes.push(outcome);
}

process.stdout.write(JSON.stringify({ outcomes }));
