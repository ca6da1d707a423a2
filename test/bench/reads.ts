import { readFile, writeFile } from "node:fs/promises";
import { listDepositRows, readDepositRow } from "../../src/deposits/deposit-list.store.ts";
import type { PageRequest } from "../../src/platform/kernel/list-query.ts";
import { freePort } from "../../src/platform/processes/free-port.ts";
import type { BareHttpOrder } from "./bare-http-process.ts";
import { type Draw, findBareRunner } from "./bare-sql.ts";
import type { BenchSite } from "./bench-site.ts";
import { ask, processorSeconds, startHelper } from "./child-process.ts";
import {
  arrangeTenant,
  arrangeWallet,
  type Deployment,
  deploy,
  logIn,
  startPart,
  type Tenant,
} from "./deployment.ts";
import { loadAtHalf, loadHttp } from "./http-load.ts";
import type { LoadOrder } from "./http-load-process.ts";
import { median, sideBySide } from "./measure.ts";
import { metered, processorFindings, type Spent, spentFindings } from "./processor-time.ts";
import { type RecordedStatement, recordStatements } from "./recorded-statements.ts";
import { boundFinding, type Finding, rateFinding } from "./report.ts";

const rounds = 3;
const seconds = 2;
const warmUpRequests = 4_000;
const deposits = 20_000;
const pageSize = 10;
const farPage = 1_000;

type Case = {
  readonly name: string;
  readonly statements: readonly RecordedStatement[];
  /** The place of the value drawn for each run; null if there is none. */
  readonly draw: Draw | null;
  readonly paths: readonly string[];
};

/** One deposit and pages of a list of 20,000 over HTTP, compared with the product's own queries in pgbench. */
export async function benchReads(site: BenchSite): Promise<readonly Finding[]> {
  const bare = await findBareRunner();
  const deployment = await deploy(site, "reads");
  const tenant = await arrangeTenant(deployment);
  const { from, to } = await arrangeDeposits(deployment, tenant);
  const api = await startPart(deployment, "api");
  const headers = await logIn(deployment, tenant);
  const findings: Finding[] = [];
  const rates: number[] = [];
  for (const one of await casesOf(deployment, tenant, headers, from, to)) {
    const draws = one.draw === null ? [] : [one.draw];
    const order = {
      origin: deployment.config.base_url,
      method: "GET" as const,
      paths: one.paths,
      headers,
      bodies: [],
      fresh: null,
      status: 200,
      connections: 64,
      warmUpSeconds: 0.5,
      seconds,
    };
    // On a busy machine few requests are answered in the seconds of a round, so code may still run uncompiled.
    await loadHttp(site, { ...order, rate: null, warmUpSeconds: 0, leastRequests: warmUpRequests });
    const spent: Spent = { product: [], floor: [] };
    const loaded = { pid: api.pid, seconds: order.warmUpSeconds + seconds };
    const peak = await sideBySide(
      rounds,
      () =>
        metered(site, spent.floor, { pid: null, seconds }, () =>
          bare.run(site, {
            url: deployment.databaseUrl,
            statements: one.statements,
            draws,
            clients: 16,
            seconds,
          }),
        ),
      () =>
        metered(site, spent.product, loaded, async () => {
          return (await loadHttp(site, { ...order, rate: null })).perSecond;
        }),
    );
    const half = await loadAtHalf(site, order, peak.product);
    rates.push(peak.product);
    if (rates.length === 1)
      findings.push(...(await limitsOf(deployment, one.name, order, api.pid)));
    findings.push(
      rateFinding(one.name, "/s", peak, `${bare.name}, the same query`, 0.6),
      ...spentFindings(one.name, spent, bare.name),
      boundFinding(`${one.name} at half of that rate, p99`, half.p99Ms, "ms", 20),
    );
  }
  const [near = 0, far = 0] = rates.slice(-2);
  return [
    ...findings,
    rateFinding(
      `page ${farPage} by cursor`,
      "/s",
      { product: far, floor: near },
      "page 1 by cursor",
      0.9,
    ),
  ];
}

/**
 * What one process of Node.js can reach at most, which sends the same bytes without reading anything, and what a second api process
 * adds. Client, PostgreSQL and all processes share the machine.
 */
async function limitsOf(
  deployment: Deployment,
  name: string,
  order: Omit<LoadOrder, "rate">,
  apiPid: number,
): Promise<readonly Finding[]> {
  const { site } = deployment;
  const second = await startSecondApi(deployment);
  const bare = startHelper("bare-http-process.ts", site.teardown);
  const answer = await fetch(`${order.origin}${order.paths[0] ?? ""}`, { headers: order.headers });
  const bareOrder: BareHttpOrder = {
    body: await answer.text(),
    headers: Object.fromEntries(answer.headers),
  };
  const { origin } = await ask<{ origin: string }>(bare, bareOrder);
  const half = { ...order, connections: order.connections / 2, rate: null };
  const alone: number[] = [];
  const spent: Spent = { product: [], floor: [] };
  const single = async (noted: number[], pid: number, from: string): Promise<number> => {
    const before = processorSeconds(pid);
    const { perSecond } = await loadHttp(site, { ...order, origin: from, rate: null });
    const answered = perSecond * (order.seconds + order.warmUpSeconds);
    noted.push(((processorSeconds(pid) - before) / answered) * 1e6);
    return perSecond;
  };
  const limit = await sideBySide(
    rounds,
    () => single(spent.floor, bare.pid, origin),
    async () => {
      alone.push(await single(spent.product, apiPid, order.origin));
      const both = await Promise.all([
        loadHttp(site, half),
        loadHttp(site, { ...half, origin: second.origin }),
      ]);
      return both[0].perSecond + both[1].perSecond;
    },
  );
  await Promise.all([second.stop(), bare.stop()]);
  const one = median(alone);
  const limitName = "node:http in one process, the same bytes";
  return [
    rateFinding(name, "/s", { product: one, floor: limit.floor }, limitName, null),
    ...processorFindings(
      `${name}: processor time per request, the process alone`,
      { product: median(spent.product), floor: median(spent.floor) },
      limitName,
    ),
    rateFinding(
      `${name}, two api processes`,
      "/s",
      { product: limit.product, floor: one },
      "one",
      null,
    ),
  ];
}

async function startSecondApi(deployment: Deployment) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const config = {
    ...deployment.config,
    base_url: origin,
    listen: { ...deployment.config.listen, port },
  };
  const configFile = `${deployment.configFile}.second.json`;
  const stored = JSON.parse(await readFile(deployment.configFile, "utf8")) as object;
  // The same base_url, which is the tokens' issuer.
  await writeFile(configFile, JSON.stringify({ ...stored, listen: { port } }), { mode: 0o600 });
  const { stop } = await startPart({ ...deployment, config, configFile }, "api");
  return { origin, stop };
}

/** Inserts deposits of one account, a second apart; returns the range of their ids. */
async function arrangeDeposits(deployment: Deployment, tenant: Tenant) {
  const { site, databaseUrl } = deployment;
  const { accountId, credentialId } = tenant.principal;
  const walletId = await arrangeWallet(deployment, tenant, 2, "1000");
  const rows = (await site.sql(
    databaseUrl,
    `with made as (
       insert into deposit (account_id, wallet_id, status, wallet_type, wallet_currency, currency, chain, address,
         address_type, label, tracking_id, callback_url, payment_page_id, assets, target_paid, created_by_credential_id,
         created_at, updated_at)
       select $1, $2, 2, 2, '1000', '1000', 'BTC', 'bcrt1q' || md5(at::text), 'bech32', 'Order ' || at,
         'shop-7/order-' || at, 'https://shop.example.com/callbacks/crypto?order=' || at, gen_random_uuid(),
         '{"1000": "12345678"}', 12345678, $3, now() - make_interval(secs => $4 - at), now()
       from generate_series(1, $4) as at
       returning id)
     select min(id)::int as "from", max(id)::int as "to" from made`,
    [accountId, walletId, credentialId, deposits],
  )) as { from: number; to: number }[];
  await site.sql(databaseUrl, "vacuum analyze");
  return rows[0] ?? { from: 0, to: 0 };
}

async function casesOf(
  deployment: Deployment,
  tenant: Tenant,
  headers: Readonly<Record<string, string>>,
  from: number,
  to: number,
): Promise<readonly Case[]> {
  const { accountId } = tenant.principal;
  const cursors = await walk(deployment, headers, deposits / pageSize);
  const cursor = cursors[farPage - 1] ?? "";
  const list = (page: PageRequest): Promise<readonly RecordedStatement[]> => {
    const sort = ["created_at", "id"].map((field) => ({ field, descending: true }));
    const listed = { accountId, wallets: null, query: { filters: new Map(), sort, page } };
    const { currencies } = deployment.foundation;
    return recordStatements((db) =>
      listDepositRows(db, listed, { currencies, readAddresses: () => [] }),
    );
  };
  const step = Math.floor((to - from) / 2_000);
  return [
    {
      name: "GET /deposit/{id}/",
      statements: await recordStatements((db) => readDepositRow(db, accountId, String(from))),
      draw: { places: [{ statement: 0, position: 1 }], from, to },
      paths: Array.from({ length: 2_000 }, (_, index) => `/deposit/${from + index * step}/`),
    },
    {
      name: "GET /deposit/ (page 1 of 10, with the count of all)",
      // The second statement counts the rows if the page is empty.
      statements: (await list({ kind: "numbered", number: 1, size: pageSize })).slice(0, 1),
      draw: null,
      paths: ["/deposit/"],
    },
    {
      // More pages than the api remembers, so it renders each of them each time.
      name: "GET /deposit/?page[after]=... (all pages in turn)",
      statements: await list({ kind: "after", cursor, size: pageSize }),
      draw: null,
      paths: cursors.map((at) => `/deposit/?page%5Bafter%5D=${at}`),
    },
    {
      name: "GET /deposit/?page[after]= (page 1 by cursor)",
      statements: await list({ kind: "after", cursor: null, size: pageSize }),
      draw: null,
      paths: ["/deposit/?page%5Bafter%5D="],
    },
    {
      name: `GET /deposit/?page[after]=... (page ${farPage} by cursor)`,
      statements: await list({ kind: "after", cursor, size: pageSize }),
      draw: null,
      paths: [`/deposit/?page%5Bafter%5D=${cursor}`],
    },
  ];
}

/** The cursors of this many pages, found by paging. The first page has an empty one. */
async function walk(
  { config }: Deployment,
  headers: Readonly<Record<string, string>>,
  pages: number,
): Promise<readonly string[]> {
  const cursors = [""];
  while (cursors.length < pages) {
    const answer = await fetch(
      `${config.base_url}/deposit/?page%5Bafter%5D=${cursors.at(-1) ?? ""}`,
      { headers: { authorization: headers["authorization"] ?? "" } },
    );
    const { links } = (await answer.json()) as { links: { next: string | null } };
    cursors.push(new URL(links.next ?? "").searchParams.get("page[after]") ?? "");
  }
  return cursors;
}
