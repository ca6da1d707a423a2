import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createClient } from "../client/src/create-client.ts";
import { readSandboxFile } from "../src/sandbox/sandbox-file.ts";

/**
 * Records normal work for the tests of the alerts: `node scripts/record-metrics.ts --home .sluice --minutes 60 --out FILE`. Reads the
 * metrics of a running sandbox once a minute, and receives and pays out ether in between. The file maps each gauge and counter
 * of Sluice to its value at each minute; a series that appears later begins with nulls.
 */

const { values } = parseArgs({
  options: {
    home: { type: "string", default: ".sluice" },
    minutes: { type: "string", default: "60" },
    out: { type: "string", default: "test/recorded/metrics-hour.json" },
  },
});
const minutes = Number(values.minutes);
const sandbox = await readSandboxFile(values.home);
const client = createClient({
  baseUrl: sandbox.base_url,
  login: sandbox.login,
  password: sandbox.password,
});
const ether = sandbox.wallets.find(({ type, alpha }) => type === 2 && alpha === "ETH");
if (ether === undefined) throw new Error("the sandbox has no ETH wallet");

const receiver = createServer((request, response) => {
  request.resume();
  response.writeHead(200).end();
}).listen(0, "127.0.0.1");
await once(receiver, "listening");
const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

/** An external address. */
const payee = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

function sluice(...words: readonly string[]): void {
  const program = join(import.meta.dirname, "../bin/sluice");
  execFileSync(program, words, { env: { ...process.env, SLUICE_HOME: values.home } });
}

/** A minute's payment pays the next minute's payout. */
async function work(minute: number): Promise<void> {
  const { data: deposit } = await client.post("/deposit/", {
    attributes: { callback_url: callbackUrl },
    relationships: { wallet: { type: "wallet", id: ether?.id ?? "" } },
  });
  sluice("pay", deposit.id, "0.5");
  if (minute > 0) sluice("payout", "ETH", "0.01", payee, "--callback-url", callbackUrl);
}

/** Values by series, without the runtime's metrics and without the buckets of histograms. */
async function scrape(): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(sandbox.metrics_url)).text();
  const lines = text.split("\n").filter((line) => /^sluice_(?!\w+_bucket)/.test(line));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(" ");
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

const series = new Map<string, (number | null)[]>();
for (let minute = 0; minute <= minutes; minute += 1) {
  const endsAt = Date.now() + 60_000;
  for (const [name, value] of await scrape()) {
    const recorded = series.get(name) ?? [];
    while (recorded.length < minute) recorded.push(null);
    series.set(name, [...recorded, value]);
  }
  writeFileSync(values.out, `${JSON.stringify(Object.fromEntries(series))}\n`);
  await work(minute);
  if (minute < minutes) await sleep(Math.max(endsAt - Date.now(), 0));
}
receiver.close();
