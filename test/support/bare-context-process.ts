import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createContext, SourceTextModule } from "node:vm";

/**
 * Runs the built client without Node's globals: in a context with the ECMAScript built-ins and what browsers, workers, Deno and
 * Bun share. Arguments: the build's folder and the client's input as JSON. Prints the result.
 */
const [folder = "", input = ""] = process.argv.slice(2);

const shared = {
  fetch,
  crypto,
  URL,
  URLSearchParams,
  Headers,
  AbortController,
  AbortSignal,
  TextEncoder,
  TextDecoder,
  setTimeout,
  clearTimeout,
  atob,
};
const context = createContext({ ...shared });

const modules = new Map<string, SourceTextModule>();
function moduleAt(file: string): SourceTextModule {
  const known = modules.get(file);
  if (known !== undefined) return known;
  const created = new SourceTextModule(readFileSync(file, "utf8"), { context, identifier: file });
  modules.set(file, created);
  return created;
}

const entry = new SourceTextModule(
  `import { createClient } from "./create-client.js";
   import { verifyCallback } from "./verify-callback.js";
   const { settings, callback, secret, now } = ${input};
   const client = createClient(settings);
   const { data } = await client.list("/wallet/", { sort: ["id"] });
   const ids = [];
   for await (const wallet of client.each("/wallet/", { sort: ["id"], pageSize: 2 })) ids.push(wallet.id);
   const verdict = await verifyCallback(callback, { webhookSecret: secret }, { now: new Date(now) });
   export const outcome = {
     isBare: typeof process === "undefined" && typeof Buffer === "undefined" && typeof require === "undefined",
     listed: data.map(({ id }) => id),
     ids,
     isGenuine: verdict.isGenuine,
   };`,
  { context, identifier: join(folder, "entry.js") },
);
await entry.link((specifier, from) => moduleAt(join(dirname(from.identifier), specifier)));
await entry.evaluate();
console.log(JSON.stringify((entry.namespace as { readonly outcome: unknown }).outcome));
process.exit(0);
