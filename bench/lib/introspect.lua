-- Introspects one token repeatedly.
-- arguments: the token
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "read.lua")

local body

function init(arguments)
  body = "token=" .. arguments[1]
end

function request()
  return wrk.format("POST", nil, nil, body)
end
