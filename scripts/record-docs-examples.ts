import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { list, type Operation, object, text } from "../src/http/docs/read-description.ts";
import type { JsonObject, JsonValue } from "../src/platform/kernel/json.ts";
import type { SandboxFile } from "../src/sandbox/sandbox-file.ts";
import { createRecorder, documentOf, firstId, type Recorder } from "./docs-examples/recorder.ts";
import { playMail } from "./docs-examples/story-of-mail.ts";
import { payee, playPayments, type RecordingSite } from "./docs-examples/story-of-payments.ts";
import {
  playCallbacks,
  playKillSwitch,
  playPayoutBatch,
  playPayouts,
  playWebhookEndpoints,
} from "./docs-examples/story-of-payouts.ts";
import { playPeople } from "./docs-examples/story-of-people.ts";
import { playProtection } from "./docs-examples/story-of-protection.ts";

/**
 * Records the examples of `/docs` on a running sandbox: `node scripts/record-docs-examples.ts .sluice`. Plays a story for every
 * part of the API over HTTP, then reads every list and object that the stories did not. Use a fresh sandbox and delete it
 * afterwards: recording changes the webhook secret, and the examples start with order 1.
 */

const [home = ".sluice"] = process.argv.slice(2);
const sandbox = JSON.parse(readFileSync(join(home, "sandbox.json"), "utf8")) as SandboxFile;
const base = sandbox.base_url.replace(/\/+$/, "");

function sluice(...words: readonly string[]): void {
  const program = join(import.meta.dirname, "../bin/sluice");
  execFileSync(program, [...words, "--config", join(home, "config.json")]);
}

/** Sends ether from the unlocked account that the sandbox's screening service rates red. */
async function payRed(to: string, ether: bigint): Promise<void> {
  const from = "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720";
  const value = `0x${(ether * 10n ** 18n).toString(16)}`;
  const request = {
    jsonrpc: "2.0",
    id: 1,
    method: "eth_sendTransaction",
    params: [{ from, to, value }],
  };
  await fetch(sandbox.chains["ETH"]?.rpc_url ?? "", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
}

async function attributesOf(
  path: string,
  as: string | null,
  body: JsonObject | null,
): Promise<JsonObject> {
  const answer = await fetch(`${base}${path}`, {
    method: body === null ? "GET" : "POST",
    headers: {
      ...(as === null ? {} : { authorization: `Bearer ${as}` }),
      ...(body === null ? {} : { "content-type": "application/vnd.api+json" }),
    },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  });
  return object(object(((await answer.json()) as JsonObject)["data"])["attributes"]);
}

function walletOf(type: number, alpha: string): string {
  return sandbox.wallets.find((wallet) => wallet.type === type && wallet.alpha === alpha)?.id ?? "";
}

async function openRecordingSite(): Promise<RecordingSite> {
  const tokenOf = async ({ login, password }: { login: string; password: string }) => {
    const body = documentOf("auth-token", { login, password });
    return text((await attributesOf("/token/", null, body))["access"]);
  };
  const signIn = documentOf("session-token", sandbox.dashboard);
  const as = await tokenOf(sandbox);
  const [apprentice] = sandbox.users;
  if (apprentice === undefined) throw new Error("the sandbox has no more users");
  return {
    ...{ as, apprentice: await tokenOf(apprentice), payRed },
    owner: text((await attributesOf("/session/", null, signIn))["access"]),
    wallets: { ether: walletOf(2, "ETH"), dollars: walletOf(1, "USD") },
    callbackUrl: text((await attributesOf("/simulator/receiver/", as, null))["url"]),
  };
}

async function playTokens({ ask }: Recorder): Promise<void> {
  const { login, password } = sandbox;
  const { attributes } = await ask("POST /token/", "/token/", {
    body: documentOf("auth-token", { login, password }),
  });
  const refresh = attributes["refresh"] ?? "";
  await ask("POST /token/refresh/", "/token/refresh/", {
    body: documentOf("auth-token", { refresh }),
  });
}

const queries: Readonly<Record<string, string>> = {
  "/search/": "&filter[text]=order",
  "/currency/": "&filter[alpha]=ETH",
  "/rates/": "&filter[left]=ETH&filter[right]=USD",
  "/transfer/": "&filter[status]=2",
  "/deposit/": "&filter[tracking_id]=order-1001",
  "/payout/": "&filter[tracking_id]=salary-1",
};

/** No chain of the sandbox has an account that deposits share. */
const neverThere = "/unattributed/";

/** Every list, then one object of it. */
async function readEverything({ operations, examples, ask }: Recorder, as: string): Promise<void> {
  const reads = operations.filter(
    ({ method, path, resource, id }) =>
      method === "GET" &&
      resource !== null &&
      examples[id] === undefined &&
      !path.startsWith(neverThere),
  );
  for (const { path, resource } of reads.filter((read) => !read.path.includes("{"))) {
    const query = resource?.isPage === true ? `?page[size]=1${queries[path] ?? ""}` : "";
    await ask(`GET ${path}`, `${path}${query}`, { as });
  }
  const known = ({ path }: Operation): string => {
    const from = path.split("{")[0] ?? "";
    const listed = operations.find(
      (operation) => operation.method === "GET" && operation.path === from,
    );
    const answer = object(examples[listed?.id ?? ""]?.answer as JsonValue);
    return text(object(list(answer["data"])[0])["id"]);
  };
  for (const operation of reads.filter((read) => read.path.includes("{"))) {
    const filled = operation.path.replace(/\{\w+\}/, known(operation));
    const query = operation.resource?.isPage === true ? "?page[size]=3" : "";
    await ask(`GET ${operation.path}`, `${filled}${query}`, { as });
  }
}

const site = await openRecordingSite();
const recorder = await createRecorder(base, [
  [site.callbackUrl, "https://shop.example/callbacks"],
  [new URL(site.callbackUrl).host, "shop.example"],
  [base, "https://pay.example.com"],
  ["localhost", "pay.example.com"],
  ["127.0.0.1", "192.0.2.1"],
  [sandbox.login, "shop-1"],
  [sandbox.dashboard.login, "owner@shop.example"],
  ...sandbox.users.map(({ login }, index) => [login, `user-${index + 1}`] as const),
]);
sluice("operator", "1", "on");
sluice("limit", "day", "ETH", "50");
sluice("payee", "add", "1", "ETH", payee, "--label", "Jo Doe");
await playTokens(recorder);
await playPayments(recorder, site);
await playPayouts(recorder, site);
await playPayoutBatch(recorder, site);
await playKillSwitch(recorder, site);
await playCallbacks(recorder, site);
await playWebhookEndpoints(recorder, site);
await playPeople(recorder, {
  owner: site.owner,
  origin: base.replace("127.0.0.1", "localhost"),
  wallet: site.wallets.ether,
});
await playProtection(recorder, site.owner, (id) => {
  sluice("member", "confirm", "1", id);
});
await playMail(recorder, { owner: site.owner, mailUrl: sandbox.mail_url });
// Ledger and chains are compared once a minute.
await recorder.until("/reconciliation/", site.as, (response) => firstId(response) !== "");
await readEverything(recorder, site.as);
await recorder.ask("POST /simulator/reorg/", "/simulator/reorg/", {
  as: site.as,
  body: documentOf("simulator-reorg", { chain: "ETH", depth: 1, transactions: "include" }),
});
for (const path of ["/healthz", "/readyz", "/ping"]) await recorder.recordPlain(path);

const { examples, operations } = recorder;
const sorted = Object.fromEntries(
  Object.entries(examples).sort(([left], [right]) => (left < right ? -1 : 1)),
);
const target = new URL("../src/http/docs/examples.gen.json", import.meta.url);
writeFileSync(target, `${JSON.stringify(sorted, null, 1)}\n`);
console.log(`${Object.keys(examples).length} of ${operations.length} operations`);
for (const { id, method, path } of operations)
  if (examples[id] === undefined) console.log(`not recorded: ${method} ${path}`);
