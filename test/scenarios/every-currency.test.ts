import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { coins } from "../../src/currencies/coins.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { expectWholeBooks } from "./cases/whole-books.ts";
import { openThirdParty } from "./payers/open-third-party.ts";
import type { PaidPlace, ThirdParty } from "./payers/third-party.ts";
import type { Resource } from "./support/api-client.ts";
import { bookedFor } from "./support/books.ts";
import { settled, withoutConfirmations } from "./support/callbacks.ts";
import { feeOf, openCashier } from "./support/cashier.ts";
import { patienceMs } from "./support/define-scenario.ts";
import type { Deployment } from "./support/deployment.ts";
import { less, unitsOf } from "./support/money.ts";
import { startSandboxDeployment } from "./support/sandbox-deployment.ts";
import { type Shop, withShop } from "./support/shop.ts";
import { currencyOf, inFull, openTestSite, type TestSite } from "./support/test-site.ts";

/*
 * Every currency that is issued, through HTTP in a sandbox with all chains: software of another project pays a deposit, the shop gets a
 * genuine callback, a payout reaches another account, and the amounts are exact on the chain and in the ledger. The list of these
 * currencies must be the service's own.
 */

type Row = readonly [id: string, alpha: string, deposited: string, paid: string];

/** By id and code: what is deposited, and what is paid out of it. */
const issued: readonly Row[] = [
  ["1000", "BTC", "0.50000001", "0.12345678"],
  ["1002", "ETH", "2.000000000000000001", "1.234567890123456789"],
  ["1003", "LTC", "0.50000001", "0.12345678"],
  ["1005", "DASH", "0.50000001", "0.12345678"],
  ["1006", "BCH", "0.50000001", "0.12345678"],
  ["1007", "XMR", "1.500000000001", "0.234567890123"],
  ["1010", "XRP", "20.000001", "2.345678"],
  ["1018", "ADA", "50.000001", "12.345678"],
  ["1019", "DOGE", "40.00000001", "12.34567891"],
  ["1020", "ZEC", "0.50000001", "0.12345678"],
  ["1021", "XLM", "20.0000001", "2.3456789"],
  ["1026", "TRX", "100.000001", "12.345678"],
  ["1125", "BNB-BSC", "2.000000000000000001", "1.234567890123456789"],
  ["1140", "TON", "20.000000001", "2.345678901"],
  ["1141", "ALGO", "20.000001", "2.345678"],
  ["1142", "AVAX", "2.000000000000000001", "1.234567890123456789"],
  ["1143", "ARB", "2.000000000000000001", "1.234567890123456789"],
  ["1144", "OPT", "2.000000000000000001", "1.234567890123456789"],
  ["1145", "ETH-BASE", "2.000000000000000001", "1.234567890123456789"],
  ["1146", "MATIC", "2.000000000000000001", "1.234567890123456789"],
  ["2014", "USDC-ETH", "50.000001", "12.345678"],
  ["2015", "USDT-ETH", "50.000001", "12.345678"],
  ["2065", "BUSD-T-BSC", "50.000000000000000001", "12.345678901234567891"],
  ["2068", "DAI-ETH", "50.000000000000000001", "12.345678901234567891"],
  ["2102", "USDC-BSC", "50.000000000000000001", "12.345678901234567891"],
  ["2145", "USDT-TRX", "50.000001", "12.345678"],
  ["2900", "USDT-MATIC", "50.000001", "12.345678"],
  ["2901", "USDC-MATIC", "50.000001", "12.345678"],
  ["2902", "USDT-ARB", "50.000001", "12.345678"],
  ["2903", "USDC-ARB", "50.000001", "12.345678"],
  ["2904", "USDT-OPT", "50.000001", "12.345678"],
  ["2905", "USDC-OPT", "50.000001", "12.345678"],
  ["2906", "USDT-AVAX", "50.000001", "12.345678"],
  ["2907", "USDC-AVAX", "50.000001", "12.345678"],
  ["2908", "USDC-ETH-BASE", "50.000001", "12.345678"],
  ["2909", "USDT-TON", "50.000001", "12.345678"],
  ["2910", "USDC-XLM", "50.0000001", "12.3456789"],
  ["2911", "USDC-ALGO", "50.000001", "12.345678"],
];

/** docs/decisions/currencies.md says why they are listed. */
const withdrawn = [
  ["2005", "USDT-OMNI"],
  ["2142", "USDC-TRX"],
] as const;

/** The most confirmations that a currency needs in the sandbox. */
const confirmationsMax = 12;

let deployment: Deployment;
let site: TestSite;
const parties = new Map<string, ThirdParty>();
const played: string[] = [];
const notRun: string[] = [];
/** Elsewhere the service's own programs run the chain. */
const needDaemons = new Set(["BTC", "LTC", "DOGE", "DASH", "XMR"]);

beforeAll(async () => {
  deployment = await startSandboxDeployment({ SLUICE_CHAINS: "all" });
  site = await openTestSite(deployment);
  for (const [chain, reached] of Object.entries(deployment.chains))
    parties.set(chain, await openThirdParty(chain, reached, site));
}, 900_000);
afterAll(async () => {
  for (const party of parties.values()) await party.close();
  await site.close();
  await deployment.stop();
});

const chainOf = (alpha: string): string => present(currencyOf(alpha).chain, `a chain of ${alpha}`);
const partyOf = (alpha: string): ThirdParty =>
  present(parties.get(chainOf(alpha)), `a payer of ${alpha}`);

/** Payers have one account on a chain, whose transactions follow each other. */
const turns = new Map<string, Promise<unknown>>();
function inTurn<Result>(chain: string, work: () => Promise<Result>): Promise<Result> {
  const turn = (turns.get(chain) ?? Promise.resolve()).then(work);
  turns.set(
    chain,
    turn.catch(() => undefined),
  );
  return turn;
}

const confirm = (alpha: string): Promise<unknown> =>
  site.onChain(chainOf(alpha), (control) => control.mine(confirmationsMax));

/** Where it is paid, once it has an address. */
async function placeOf(shop: Shop, deposit: Resource): Promise<PaidPlace> {
  const { destination } = await settled(
    () => shop.read(deposit),
    ({ is_active }) => is_active === true,
  );
  const { address, tag = null } = destination as { address: string; tag?: string | null };
  return { address, tag };
}

/** Waits for a genuine callback that says so. */
async function expectTold(
  callbacks: () => Promise<readonly string[]>,
  expected: string,
): Promise<void> {
  const told = await settled(callbacks, (all) => withoutConfirmations(all).includes(expected));
  expect(withoutConfirmations(told)).toContain(expected);
}

async function receive(shop: Shop, wallet: string, alpha: string, amount: string): Promise<void> {
  const deposit = await shop.deposit(wallet);
  const place = await placeOf(shop, deposit);
  await partyOf(alpha).pay(alpha, place, amount);
  await confirm(alpha);
  await shop.expectBalance(wallet, amount, inFull("0", alpha));
  await expectTold(() => shop.callbacks(deposit), `transfer 2 ${amount}`);
}

async function payOut(shop: Shop, wallet: string, row: Row): Promise<void> {
  const [id, alpha, deposited, amount] = row;
  const cashier = openCashier(site, shop, site.cashier);
  const receiver = await partyOf(alpha).receiver(alpha);
  const before = await receiver.held();
  const order = { wallet, alpha, amount, address: receiver.address };
  // Refused (503) while the service has not read the chain to its newest block, as may happen on a busy machine.
  await settled(
    () => cashier.calculate(order).catch(() => null),
    (quote) => quote !== null,
  );
  const payout = await cashier.pay(order);
  await cashier.expectSent(payout);
  await confirm(alpha);
  await cashier.expectTransfer(payout, { status: 2, amount });
  await expectTold(() => cashier.callbacks(payout), `transfer 2 ${amount}`);
  expect((await receiver.held()) - before).toBe(unitsOf(amount, alpha));
  // The operator pays what tokens cost.
  const fee = alpha === chainOf(alpha) ? feeOf(payout) : "0";
  await shop.expectBalance(wallet, less(deposited, [amount, fee], alpha), inFull("0", alpha));
  const [units, charged] = [unitsOf(amount, alpha), unitsOf(fee, alpha)];
  expect(await bookedFor(site, `payout:${payout.id}`)).toEqual({
    [`wallet/${wallet}/available`]: units + charged,
    [`chain/${id}`]: -units,
    ...(charged === 0n ? {} : { [`fees/${id}`]: -charged }),
  });
}

describe("every currency that is issued", () => {
  it.concurrent.for(issued)(
    "%s %s is received and paid out exactly",
    { timeout: patienceMs },
    (row, context) => {
      const [, alpha, deposited] = row;
      const chain = chainOf(alpha);
      if (needDaemons.has(chain) && !parties.has(chain)) {
        notRun.push(alpha);
        console.warn(`${alpha}: NOT RUN, its daemon is not installed`);
        context.skip();
      }
      return inTurn(chain, () =>
        withShop(site, async (shop) => {
          const wallet = await shop.wallet("enterprise", alpha);
          await receive(shop, wallet, alpha, deposited);
          await payOut(shop, wallet, row);
          played.push(alpha);
        }),
      );
    },
  );

  it("is every currency of the service that has a blockchain, except the withdrawn ones", async () => {
    const listed = await site.owner.list("/currency/?page[size]=100");
    const onChains = listed
      .filter(({ attributes }) => attributes["blockchain_name"] !== null)
      .map(({ attributes, id }) => `${id} ${attributes["alpha"] as string}`);
    const known = [...issued, ...withdrawn].map(([id, alpha]) => `${id} ${alpha}`);
    expect(onChains.toSorted()).toEqual(known.toSorted());
    expect([...played, ...notRun].toSorted()).toEqual(issued.map(([, alpha]) => alpha).toSorted());
  });
});

describe("a currency that is not issued any more", () => {
  it.each(withdrawn)("%s %s is refused with 6015", async (id) => {
    const wallet = await withShop(site, (shop) => shop.wallet("merchant", "USD"));
    const currency = { data: { type: "currency", id } };
    const codesOf = async (path: string, document: JsonObject): Promise<unknown> => {
      const { text } = await site.owner.ask("POST", path, { data: document });
      const { errors } = JSON.parse(text) as { errors: readonly { readonly code: string }[] };
      return errors.map(({ code }) => code);
    };
    const deposit = {
      type: "deposit",
      attributes: {},
      relationships: { currency, wallet: { data: { type: "wallet", id: wallet } } },
    };
    expect(await codesOf("/deposit/", deposit)).toEqual(["6015"]);
    const created = { type: "wallet", attributes: { type: 2 }, relationships: { currency } };
    expect(await codesOf("/wallet/", created)).toEqual(["6015"]);
  });
});

describe("the sandbox with all chains", () => {
  it("runs every chain, and EVM chains with a chain id of their own", () => {
    const chains = Object.values(deployment.chains);
    const missing = notRun.map(chainOf);
    expect([...Object.keys(deployment.chains), ...missing].toSorted()).toEqual(
      coins.map(({ chain }) => chain.id).toSorted(),
    );
    const ids = chains.flatMap((reached) => (reached.family === "evm" ? [reached.chain_id] : []));
    expect(new Set(ids).size).toBe(7);
  });

  it("ends with books that match every chain", { timeout: patienceMs }, () =>
    expectWholeBooks(site),
  );
});
