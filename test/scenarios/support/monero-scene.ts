import { expect } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { withTestSite } from "../../support/with-test-site.ts";
import type { Resource } from "./api-client.ts";
import { type Cashier, fundedWallet, openCashier } from "./cashier.ts";
import type { ChainControl } from "./chain-control.ts";
import { unitsAt } from "./chain-facts.ts";
import { moneroPayees, type Payee } from "./monero-payees.ts";
import type { RestorableDeployment } from "./restorable-deployment.ts";
import { addressOf, type Shop, withShop } from "./shop.ts";
import { currencyOf, type TestSite } from "./test-site.ts";

/** As many blocks as make a payout final, and its change spendable. */
export const untilFinal = 12;

/** What a test does with a deployment that pays XMR, while its processes run. */
export type MoneroScene = {
  readonly deployment: RestorableDeployment;
  readonly site: TestSite;
  readonly shop: Shop;
  readonly chain: ChainControl;
  readonly cashier: Cashier;
  readonly payees: ReturnType<typeof moneroPayees>;
  readonly pay: (wallet: string, payee: Payee, amount: string) => Promise<Resource>;
  /** Mines until the payout is final, and expects that the payee received it and nothing else; resolves with its transaction's id. */
  readonly expectPaid: (payout: Resource, payee: Payee, amount: string) => Promise<string>;
};

/** Opens a scene; a test whose processes or database are replaced opens one after the other. */
export function withMonero<Result>(
  deployment: RestorableDeployment,
  work: (scene: MoneroScene) => Promise<Result>,
): Promise<Result> {
  return withTestSite(deployment, (site) =>
    withShop(site, (shop) =>
      site.onChain("XMR", (chain) => {
        const cashier = openCashier(site, shop, site.cashier);
        const payees = moneroPayees(chain);
        return work({
          deployment,
          site,
          shop,
          chain,
          cashier,
          payees,
          pay: (wallet, { address }, amount) =>
            cashier.pay({ wallet, alpha: "XMR", amount, address }),
          expectPaid: async (payout, payee, amount) => {
            await cashier.expectSent(payout);
            await chain.mine(untilFinal);
            const { txid } = await cashier.expectTransfer(payout, { status: 2 });
            expect(await payees.received(payee)).toEqual([amount]);
            return txid as string;
          },
        });
      }),
    ),
  );
}

/** A wallet that received these amounts, each as one coin. */
export async function moneroWallet(
  { chain, shop }: Pick<MoneroScene, "chain" | "shop">,
  first: string,
  ...more: readonly string[]
): Promise<string> {
  const wallet = await fundedWallet(shop, chain, "XMR", first);
  for (const amount of more) {
    await chain.pay("XMR", addressOf(await shop.deposit(wallet)), amount);
    await chain.mine(untilFinal);
  }
  return wallet;
}

/** The states of a payout's transactions, the first one first. */
export async function attemptStates(
  { sql }: TestSite,
  { id }: Resource,
): Promise<readonly string[]> {
  const rows = await sql<{ readonly state: string }>(
    `select a.state from spend_attempt a join payout p on p.spend_id = a.spend_id
     where p.id = $1 order by a.number`,
    [id],
  );
  return rows.map(({ state }) => state);
}

/** Ids of what the signer's journal has for a payout. */
export async function signedIds(
  deployment: RestorableDeployment,
  { id }: Resource,
): Promise<readonly string[]> {
  return (await deployment.signedFor(id)).map(({ txid }) => txid);
}

/** Waits until the ledger has what the chain has. */
export async function expectEqualBooks({ chain, site }: MoneroScene): Promise<void> {
  const difference = async (): Promise<bigint> => {
    const [booked] = await site.sql<{ readonly units: bigint }>(
      `select sum(case when debit = $1 then units else -units end)::numeric as units
       from posting where $1 in (debit, credit)`,
      [`chain/${currencyOf("XMR").id}`],
    );
    return (await unitsAt(chain, "XMR", [])) - (booked?.units ?? 0n);
  };
  await eventually(difference, (units) => units === 0n, 120);
}
