-- wrk asks for one chat completion after the other and checks the status, the length and the model of every answer.
-- Arguments: the file with the body, the answer's length in bytes, its model, and the answers to stop after (0: none).

local threads = {}

function setup(thread)
   table.insert(threads, thread)
end

function init(args)
   local file = assert(io.open(args[1], "rb"))
   wrk.method = "POST"
   wrk.headers["Content-Type"] = "application/json"
   wrk.body = file:read("*a")
   file:close()
   length = tonumber(args[2])
   member = '"model":"' .. args[3] .. '"'
   limit = tonumber(args[4])
   answers = 0
   wrong = 0
   example = ""
end

function response(status, headers, body)
   answers = answers + 1
   if status ~= 200 or #body ~= length or not string.find(body, member, 1, true) then
      wrong = wrong + 1
      if wrong == 1 then
         example = string.format("status %d, %d bytes: %s", status, #body, string.sub(body, 1, 200))
      end
   end
   if answers == limit then
      io.write("limit\n")
      io.flush()
      wrk.thread:stop()
   end
end

local function quoted(text)
   local escaped = string.gsub(text, '[%c"\\\128-\255]', function(c) return string.format("\\u%04x", string.byte(c)) end)
   return '"' .. escaped .. '"'
end

function done(summary, latency, requests)
   local wrong, example = 0, ""
   for _, thread in ipairs(threads) do
      wrong = wrong + thread:get("wrong")
      example = thread:get("example")
   end
   local errors = summary.errors
   io.write(string.format(
      'result {"requests": %d, "seconds": %.6f, "p50": %.1f, "p99": %.1f, "wrong": %d, "example": %s, "errors": %d}\n',
      summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99), wrong, quoted(example),
      errors.connect + errors.read + errors.write + errors.timeout
   ))
end
