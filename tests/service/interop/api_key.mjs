// A client that cannot run OAuth: it sends an API key with each request.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { roost, say, statusWith, toolServer } from './fixture.mjs';

const key = process.env.API_KEY;
const client = new Client({ name: 'interoperability', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL(toolServer),
  { requestInit: { headers: { Authorization: `Bearer ${key}` } } }));
const { content } = await client.callTool({ name: 'who_am_i', arguments: {} });
await client.close();
say(content[0].text);
roost('api-key', 'revoke', roost('api-key', 'list').split(' ')[0]);
say(`revoked: ${await statusWith(key)}`);
