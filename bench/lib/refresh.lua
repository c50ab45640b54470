-- Refreshes of many sessions: each cookie that an answer sets is the one of a later request.
-- arguments: a file with a cookie a line, and the method if it is not POST
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
