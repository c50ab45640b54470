import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { runConnection } from './mcp_session.mjs';
import { check, issuer } from './fixture.mjs';

await runConnection({
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  finish: (transport, parameters) => {
    check(parameters.get('iss') === issuer, `wrong issuer: ${parameters.get('iss')}`); // this version ignores it
    return transport.finishAuth(parameters.get('code'));
  },
});
