-- Logins that succeed, all of one user.
-- arguments: the body, and the cookie of a browser that needs no code, if there has to be one
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
