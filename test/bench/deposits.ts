import { watchAccess } from "../../src/accounts/access-changes.ts";
import { createAuthenticate } from "../../src/accounts/tokens/authenticate.ts";
import { createDepositWriter } from "../../src/deposits/create/create.store.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { refillPool } from "./address-rows.ts";
import { type BareWork, findBareRunner } from "./bare-sql.ts";
import type { BenchSite } from "./bench-site.ts";
import { processorSeconds } from "./child-process.ts";
import {
  arrangeTenant,
  arrangeWallet,
  type Deployment,
  deploy,
  logIn,
  startPart,
  type Tenant,
} from "./deployment.ts";
import { halfLoadSeconds, loadAtHalf, loadHttp } from "./http-load.ts";
import { median, sideBySide } from "./measure.ts";
import { metered, type Spent, spentFindings } from "./processor-time.ts";
import { type RecordedStatement, recordStatements } from "./recorded-statements.ts";
import { boundFinding, type Finding, latencyFinding, rateFinding } from "./report.ts";
import { bitcoinCurrency, dollar, sampleDeposit, sampleDocument } from "./sample-deposit.ts";

const rounds = 3;
const seconds = 4;
/** More than either side uses in one round. */
const poolSize = 120_000;

/**
 * Deposits over HTTP (a Merchant wallet in dollars, paid in bitcoin, with a requested amount: the longest path through the
 * code) compared with pgbench running the statement that inserts one, and against all statements that one deposit needs.
 */
export async function benchDeposits(site: BenchSite): Promise<readonly Finding[]> {
  const bare = await findBareRunner();
  const deployment = await deploy(site, "deposits");
  const tenant = await arrangeTenant(deployment);
  const walletId = await arrangeWallet(deployment, tenant, 1, dollar);
  await arrangePrice(deployment);
  const insert = await insertStatement(tenant, walletId);
  const reads = await readStatements(tenant, walletId);
  const work = (statements: readonly RecordedStatement[]): BareWork => ({
    url: deployment.databaseUrl,
    statements,
    clients: 16,
    seconds,
  });
  const spent: Spent = { product: [], floor: [] };
  const runBare = async (
    statements: readonly RecordedStatement[],
    noted: number[],
  ): Promise<number> => {
    await refillPool(site, deployment.databaseUrl, poolSize);
    return metered(site, noted, { pid: null, seconds }, () => bare.run(site, work(statements)));
  };
  const api = await startPart(deployment, "api");
  const order = await depositOrder(deployment, tenant, walletId);
  // On a busy machine few requests are answered in the seconds of a round, so code may still run uncompiled.
  await refillPool(site, deployment.databaseUrl, poolSize);
  await loadHttp(site, { ...order, connections: 64, rate: null, leastRequests: 4_000 });
  const clientShares: number[] = [];
  const productShares: number[] = [];
  const everyStatement: number[] = [];
  const peak = await sideBySide(
    rounds,
    () => runBare([insert], spent.floor),
    async () => {
      everyStatement.push(await runBare([...reads, insert], []));
      await refillPool(site, deployment.databaseUrl, poolSize);
      const before = processorSeconds(api.pid);
      const total = order.seconds + order.warmUpSeconds;
      return metered(site, spent.product, { pid: api.pid, seconds: total }, async () => {
        const answer = await loadHttp(site, { ...order, connections: 64, rate: null });
        productShares.push((processorSeconds(api.pid) - before) / total);
        clientShares.push(answer.processorSeconds / order.seconds);
        return answer.perSecond;
      });
    },
  );
  await refillPool(site, deployment.databaseUrl, poolSize);
  const half = await loadAtHalf(site, { ...order, connections: 64 }, peak.product);
  await refillPool(site, deployment.databaseUrl, poolSize);
  const bareWork = { ...work([insert]), seconds: halfLoadSeconds };
  const bareHalf = await bare.p99AtRate(site, bareWork, peak.floor / 2);
  const name = "POST /deposit/, 64 clients";
  return [
    rateFinding(name, "/s", peak, `${bare.name}, the insert alone`, 1),
    rateFinding(
      name,
      "/s",
      { product: peak.product, floor: median(everyStatement) },
      `${bare.name}, caller, facts and insert`,
      null,
    ),
    ...spentFindings(name, spent, `${bare.name}, the insert alone,`),
    latencyFinding(
      "POST /deposit/ at half of that rate, p99",
      { product: half.p99Ms, floor: bareHalf },
      `${bare.name}, the insert alone, at half of its rate`,
      20,
    ),
    boundFinding(`${name}: the api`, 100 * median(productShares), "% of a core", null),
    boundFinding(`${name}: the client`, 100 * median(clientShares), "% of a core", null),
  ];
}

async function arrangePrice({ site, databaseUrl }: Deployment): Promise<void> {
  await site.sql(
    databaseUrl,
    `insert into rate_quote (symbol, bid, ask, sources, created_at, expired_at)
     values ('BTC', 60000000000000000000000, 60010000000000000000000, 3, now(), now() + interval '1 day')`,
  );
}

async function depositOrder(deployment: Deployment, tenant: Tenant, walletId: string) {
  return {
    origin: deployment.config.base_url,
    method: "POST" as const,
    paths: ["/deposit/"],
    headers: await logIn(deployment, tenant),
    bodies: [sampleDocument(walletId)],
    fresh: null,
    status: 201,
    warmUpSeconds: 1.5,
    seconds,
  };
}

/** The product's insert of one deposit; each run generates its own payment page id. */
async function insertStatement(tenant: Tenant, walletId: string): Promise<RecordedStatement> {
  const [recorded] = await recordStatements((db) =>
    createDepositWriter(db, () => "available").create(sampleDeposit(tenant, walletId)),
  );
  const { text, values } = present(recorded, "the insert of a deposit");
  const freshId =
    "jsonb_set($1::jsonb, '{0,payment_page_id}', to_jsonb(gen_random_uuid()::text))::json";
  return { text: text.replace("$1::json", freshId), values };
}

/** What the product reads for each deposit: the caller and the facts for the decision. */
async function readStatements(
  { principal }: Tenant,
  walletId: string,
): Promise<readonly RecordedStatement[]> {
  const { accountId, credentialId } = principal;
  const session = { accountId, credentialId, familyId: systemRandom.uuid() };
  const accessTokens = {
    sign: () => Promise.reject(new Error("nothing is signed here")),
    verify: () => Promise.resolve(session),
  };
  return recordStatements(async (recording) => {
    const { db, accessChanges } = watchAccess(recording);
    const caller = { authorization: "Bearer x", ip: "127.0.0.1", onlyReads: false };
    const context = { db, clock: systemClock, accessTokens, accessChanges };
    await createAuthenticate(context)(caller).catch(() => undefined);
    const writer = createDepositWriter(db, () => "available");
    await writer.readFacts({ accountId, walletId, currency: bitcoinCurrency });
  });
}
