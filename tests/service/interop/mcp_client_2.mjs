import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';

import { runConnection } from './mcp_session.mjs';

await runConnection({
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  finish: (transport, parameters) => transport.finishAuth(parameters), // checks `iss` itself
});
