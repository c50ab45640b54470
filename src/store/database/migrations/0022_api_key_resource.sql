-- The resource at which an API key may be used. Keys from before have none, which means connector.tool_server.
alter table api_keys add column resource text;
