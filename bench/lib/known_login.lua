-- Sends successful logins of one user.
-- arguments: the body, and optionally the cookie of a remembered browser, which needs no code
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "read.lua")

local text

function init(arguments)
  local headers = {["Content-Type"] = "application/json"}
  headers["Cookie"] = arguments[2]
  text = wrk.format("POST", nil, headers, arguments[1])
end

function request()
  return text
end
