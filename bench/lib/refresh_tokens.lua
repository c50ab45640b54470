-- Refreshes many connections: a later request sends the refresh token that a response contains.
-- arguments: the client's id, a file with one refresh token per line
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "read.lua")

local tokens, first, last, client = {}, 1, 0, ""

function init(arguments)
  client = arguments[1]
  for line in io.lines(arguments[2]) do
    last = last + 1
    tokens[last] = line
  end
end

function request()
  local token = tokens[first]
  tokens[first] = nil
  first = first + 1
  return wrk.format("POST", nil, {["Content-Type"] = "application/x-www-form-urlencoded"},
    "grant_type=refresh_token&client_id=" .. client .. "&refresh_token=" .. token)
end

function response(status, headers, body)
  local token = body:match('"refresh_token":"([^"]*)"')
  if token then
    last = last + 1
    tokens[last] = token
  end
end
