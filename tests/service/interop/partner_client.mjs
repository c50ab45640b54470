// Checks the OpenAPI documents of a server with redocly's recommended rules, generates a TypeScript client from one,
// compiles a partner's program with it, and books. Environment: BASE, DOCUMENTS, TOKEN (of marketplace A), FOLDER.
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTypes, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const { BASE: base, DOCUMENTS: documents, TOKEN: token, FOLDER: folder } = process.env;
const say = line => process.stdout.write(`${line}\n`);
const text = async name => (await fetch(`${base}/${name}-json`)).text();

/** A landlordKey could be `bookings`, but no path has a changeId that is `full`. */
const isAboutChanges = problem =>
  problem.ruleId === 'no-ambiguous-paths' && problem.message.includes('/bookings/{bookingId}/changes/{changeId}');

async function check(name) {
  const config = await createConfig({ extends: ['recommended'] });
  const found = await lintFromString({ source: await text(name), absoluteRef: `${name}.json`, config });
  const problems = found.filter(problem => !isAboutChanges(problem));
  for (const { severity, ruleId, message, location } of problems)
    say(`${name}: ${severity} ${ruleId}: ${message} (${location[0]?.pointer})`);
  if (problems.length === 0) say(`${name}: clean`);
}

/** Compiles in the test's folder, with a link to the packages that the client imports. */
async function compile() {
  const here = dirname(fileURLToPath(import.meta.url));
  symlinkSync(join(here, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'marketplace_a.ts'), astToString(await openapiTypes(await text('marketplace-a'))));
  copyFileSync(join(here, 'partner_booking.ts'), join(folder, 'partner_booking.ts'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const program = ts.createProgram([join(folder, 'partner_booking.ts')], {
    strict: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'], types: [],
  });
  const { diagnostics } = program.emit();
  for (const each of [...ts.getPreEmitDiagnostics(program), ...diagnostics])
    say(`${each.file?.fileName.slice(folder.length + 1)}: ${ts.flattenDiagnosticMessageText(each.messageText, ' ')}`);
  return import(pathToFileURL(join(folder, 'partner_booking.js')));
}

for (const name of documents.split(' ')) await check(name);
const { book } = await compile();
say(await book(base, token, randomUUID()));
