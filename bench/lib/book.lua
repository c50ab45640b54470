-- Booking submissions, each with a bookingId, a tenant and a free month of its own.
-- arguments: the first booking's number, the number of units, the first unit's ID
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "read.lua")

local number, units, first_unit = 0, 1, 1

function init(arguments)
  number, units, first_unit = tonumber(arguments[1]), tonumber(arguments[2]), tonumber(arguments[3])
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
end

local template = '{"externalId":"%d","bookingId":"00000000-0000-4000-8000-%012x","checkInDate":"%04d-%02d-01",'
  .. '"checkOutDate":"%04d-%02d-25","numberOfExtraTenants":1,"platformProviderPaymentValue":%d.50,'
  .. '"otaCommissionValue":35,"tenant":{"firstName":"Ada","lastName":"Marsh","email":"guest%d@guests.example",'
  .. '"fiscalId":"X%07dL","phone":"+34 600 000 000","nationality":"GB"}}'

function request()
  local months = math.floor(number / units)
  local year, month = 2030 + math.floor(months / 12), months % 12 + 1
  local body = string.format(template, first_unit + number % units, number, year, month, year, month,
    600 + number % 900, number, number)
  number = number + 1
  return wrk.format(nil, nil, nil, body)
end
