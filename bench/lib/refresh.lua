-- Refreshes many sessions: a later request sends the cookie that a response sets.
-- arguments: a file with one cookie per line, and optionally the method (default: POST)
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "read.lua")

local cookies, first, last = {}, 1, 0
local method

function init(arguments)
  method = arguments[2] or "POST"
  for line in io.lines(arguments[1]) do
    last = last + 1
    cookies[last] = line
  end
end

function request()
  local cookie = cookies[first]
  cookies[first] = nil
  first = first + 1
  return wrk.format(method, nil, {["Cookie"] = cookie, ["Content-Length"] = "0"})
end

function response(status, headers)
  local set = headers["Set-Cookie"] or headers["set-cookie"]
  if set then
    last = last + 1
    cookies[last] = set:match("^[^;]*")
  end
end
