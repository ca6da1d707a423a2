import { expect } from "vitest";
import { changeWhitelist, setWhitelistMode } from "../../../src/main/commands/change-whitelist.ts";
import {
  type PauseTarget,
  pausePayouts,
  resumePausedPayouts,
} from "../../../src/main/commands/pause-payouts.ts";
import { setPayoutLimit } from "../../../src/main/commands/set-payout-limit.ts";
import { eventually } from "../../support/eventually.ts";
import type { Resource } from "../stage/api-client.ts";
import {
  feeOf,
  fundedWallet,
  heldIn,
  newEvmAddress,
  openCashier,
  payoutStatus,
} from "../stage/cashier.ts";
import { unitsAt } from "../stage/chain-facts.ts";
import { less } from "../stage/money.ts";
import type { Play } from "../stage/play.ts";
import { addressOf, withShop } from "../stage/shop.ts";
import { currencyOf, inFull, type Stage } from "../stage/stage.ts";

/* Who may pay out, how much, and to whom; and how an operator stops payouts. */
export function payoutControls(play: Play): void {
  approval(play);
  limits(play);
  killSwitches(play);
  addressBook(play);
}

function approval(play: Play): void {
  play("keeps a clerk's payout waiting until another person approves it", ["ETH"], (stage) =>
    withShop(stage, async (shop) => {
      const clerk = openCashier(stage, shop, stage.clerk);
      const cashier = openCashier(stage, shop, stage.cashier);
      const owner = openCashier(stage, shop, {
        client: stage.owner,
        login: stage.deployment.owner,
      });
      const nothing = inFull("0", "ETH");
      await stage.onChain("ETH", async (chain) => {
        const wallet = await fundedWallet(shop, chain, "ETH", "3");
        const address = newEvmAddress();
        const order = { wallet, alpha: "ETH", amount: "0.5", address };
        const payout = await clerk.pay(order);
        const regretted = await clerk.pay({ ...order, attributes: { tracking_id: "oops" } });
        for (const { attributes } of [payout, regretted])
          expect(attributes).toMatchObject({ status: payoutStatus.waiting });
        const taken = ["0.5", feeOf(payout)];
        const both = [...taken, "0.5", feeOf(regretted)];
        await shop.expectBalance(wallet, less("3", both, "ETH"), nothing);

        await chain.mine(3);
        await clerk.expectTransfer(payout, { status: 0, txid: null });
        expect(await unitsAt(chain, "ETH", [address])).toBe(0n);
        expect(await askFor(stage.clerk.client, payout, "approve")).toEqual([
          403,
          "permission_denied",
        ]);

        expect((await clerk.cancel(regretted)).attributes["status"]).toBe(payoutStatus.canceled);
        await shop.expectBalance(wallet, less("3", taken, "ETH"), nothing);
        await clerk.expectTransfer(regretted, { status: -3, txid: null });
        // A tracking_id stays used.
        const again = { ...order, attributes: { tracking_id: "oops" } };
        expect((await clerk.ask(again)).codes).toEqual(["4012"]);

        const approved = await cashier.approve(payout);
        expect(approved.attributes["status"]).toBe(payoutStatus.approved);
        await clerk.expectSent(payout);
        for (const canceller of [stage.clerk.client, stage.owner])
          expect(await askFor(canceller, payout, "cancel")).toEqual([400, "1007"]);
        expect(await askFor(stage.owner, payout, "approve")).toEqual([400, "1007"]);
        await chain.mine(12);
        await clerk.expectTransfer(payout, { status: 2 });
        expect(await unitsAt(chain, "ETH", [address])).toBe(5n * 10n ** 17n);
        await clerk.expectToldTimes(payout, 1);
        // And none will follow: a callback is written together with what it reports.
        const ofIt = `filter[object_type]=payout&filter[object_id]=${regretted.id}`;
        expect(await stage.owner.list(`/callback/?${ofIt}`)).toEqual([]);
        expect(await clerk.told(regretted)).toEqual([]);

        // An Owner needs no approval, and cannot approve payouts of their own.
        await setPayoutLimit(
          stage.deployment.configFile,
          limitOf("ETH", "0.2", wallet),
          stage.terminal,
        );
        const own = await owner.pay(order);
        expect(own.attributes["status"]).toBe(payoutStatus.waiting);
        expect(await askFor(stage.owner, own, "approve")).toEqual([403, "permission_denied"]);
        await owner.cancel(own);
        await shop.expectBalance(wallet, less("3", taken, "ETH"), nothing);
      });
    }),
  );
}

async function askFor(
  client: Stage["owner"],
  { id }: Resource,
  action: "approve" | "cancel",
): Promise<readonly [number, string | undefined]> {
  const { status, codes } = await client.ask("POST", `/payout/${id}/${action}/`);
  return [status, codes[0]];
}

function limitOf(
  currency: string,
  amount: string | null,
  walletId: string,
  span: "transaction" | "hour" | "day" = "transaction",
) {
  return { span, currency, amount, accountId: null, walletId };
}

function limits(play: Play): void {
  play("keeps a payout above a limit waiting for approval", ["ETH"], (stage) =>
    withShop(stage, async (shop) => {
      const { configFile } = stage.deployment;
      const cashier = openCashier(stage, shop, stage.cashier);
      await stage.onChain("ETH", async (chain) => {
        const wallet = await fundedWallet(shop, chain, "ETH", "3");
        const address = newEvmAddress();
        const pay = (amount: string) => cashier.pay({ wallet, alpha: "ETH", amount, address });
        const status = async (amount: string) => (await pay(amount)).attributes["status"];
        await setPayoutLimit(configFile, limitOf("ETH", "0.5", wallet), stage.terminal);
        expect(await status("0.5")).toBe(payoutStatus.approved);
        const above = await pay("0.500000000000000001");
        expect(above.attributes["status"]).toBe(payoutStatus.waiting);
        await setPayoutLimit(configFile, limitOf("ETH", "1.2", wallet, "hour"), stage.terminal);
        // The approved 0.5 and the waiting payout count too.
        expect(await status("0.19")).toBe(payoutStatus.approved);
        expect(await status("0.02")).toBe(payoutStatus.waiting);
        await cashier.cancel(above);
        expect(await status("0.02")).toBe(payoutStatus.approved);
        await setPayoutLimit(configFile, limitOf("ETH", null, wallet), stage.terminal);
        await setPayoutLimit(configFile, limitOf("ETH", null, wallet, "hour"), stage.terminal);
        expect(await status("0.6")).toBe(payoutStatus.approved);
        const list = await cashier.client.list(`/payout/?filter[wallet]=${wallet}`);
        const approved = list.filter((one) => one.attributes["status"] === payoutStatus.approved);
        for (const payout of approved) await cashier.expectSent(payout);
        await chain.mine(12);
        for (const payout of approved) await cashier.expectTransfer(payout, { status: 2 });
        expect(await unitsAt(chain, "ETH", [address])).toBe(131n * 10n ** 16n);
        for (const one of list) {
          if (one.attributes["status"] === payoutStatus.waiting) await cashier.cancel(one);
        }
        expect(await heldIn(stage, wallet, "ETH")).toBe(inFull("0", "ETH"));
      });
    }),
  );
}

function killSwitches(play: Play): void {
  play(
    "accepts and sends no payouts while they are paused for a wallet or a chain",
    ["BTC"],
    (stage) =>
      withShop(stage, async (shop) => {
        await stage.onChain("BTC", async (chain) => {
          const wallet = await fundedWallet(shop, chain, "BTC", "0.1");
          await expectPause(stage, shop, wallet, { kind: "wallet", walletId: wallet });
          await expectPause(stage, shop, wallet, { kind: "chain", chain: "BTC" });
          await chain.mine(2);
        });
      }),
  );
}

/** Pauses the payouts of all other stories too, so it runs after them. */
export async function pauseEverywhere(stage: Stage): Promise<void> {
  await withShop(stage, (shop) =>
    stage.onChain("ETH", async (chain) => {
      const wallet = await fundedWallet(shop, chain, "ETH", "1");
      await expectPause(stage, shop, wallet, { kind: "all" }, "ETH");
      await chain.mine(12);
    }),
  );
}

const outside = {
  ETH: "0x00000000000000000000000000000000000c0ffe",
  BTC: "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
} as const;

/** A payout that was approved during the pause waits, a new one is refused, and the waiting one continues afterwards. */
async function expectPause(
  stage: Stage,
  shop: Parameters<typeof openCashier>[1],
  wallet: string,
  what: PauseTarget,
  alpha: keyof typeof outside = "BTC",
): Promise<void> {
  const { configFile } = stage.deployment;
  const [clerk, cashier] = [stage.clerk, stage.cashier].map((one) => openCashier(stage, shop, one));
  if (clerk === undefined || cashier === undefined) throw new Error("no clerk or no cashier");
  const order = { wallet, alpha, amount: "0.01", address: outside[alpha] };
  const payout = await clerk.pay(order);
  const fee_amount = feeOf(payout);
  await pausePayouts(configFile, what, "a drill", stage.terminal);
  try {
    const refused = await cashier.ask({ ...order, attributes: { fee_amount } });
    expect([refused.status, refused.codes]).toEqual([403, ["3019"]]);
    await cashier.approve(payout);
    // Longer than a pass of the pipeline and a pass of screening together.
    await shop.waitSeconds(3);
    await clerk.expectTransfer(payout, { status: 0, txid: null });
  } finally {
    await resumePausedPayouts(configFile, what, stage.terminal);
  }
  await clerk.expectSent(payout);
}

function addressBook(play: Play): void {
  play("pays only addresses in the address book of an account that requires it", ["ETH"], (stage) =>
    withShop(stage, async (shop) => {
      const { configFile } = stage.deployment;
      const { other } = stage;
      const eth = currencyOf("ETH").id as string;
      const wallet = await other.post("/wallet/", {
        data: {
          type: "wallet",
          attributes: { type: 2 },
          relationships: { currency: { data: { type: "currency", id: eth } } },
        },
      });
      const deposit = await other.post("/deposit/", {
        data: {
          type: "deposit",
          attributes: {},
          relationships: { wallet: { data: { type: "wallet", id: wallet.id } } },
        },
      });
      await stage.onChain("ETH", async (chain) => {
        await chain.pay("ETH", addressOf(deposit), "1");
        await chain.mine(13);
        await eventually(
          () => other.get(`/wallet/${wallet.id}/`),
          ({ attributes }) => attributes["balance_confirmed"] === inFull("1", "ETH"),
        );
        const cashier = openCashier(stage, shop, { client: other, login: stage.deployment.other });
        const [known, stranger] = [newEvmAddress(), newEvmAddress()];
        const order = { wallet: wallet.id, alpha: "ETH", amount: "0.1", address: known };
        const { medium: fee_amount } = await cashier.calculate(order);
        const ask = (address: string) =>
          cashier.ask({ ...order, address, attributes: { fee_amount } });
        const accountId = await accountOf(stage);
        await setWhitelistMode(configFile, { accountId, isWhitelistOnly: true }, stage.terminal);
        const payee = { accountId, chain: "ETH", address: known, tag: null, label: "" };
        try {
          expect((await ask(known)).codes).toEqual(["7001"]);
          await changeWhitelist(configFile, { ...payee, change: "add" }, stage.terminal);
          const created = await ask(known);
          expect(created.status).toBe(201);
          expect((await ask(stranger)).codes).toEqual(["7001"]);
          await cashier.expectSent(created.one);
          await chain.mine(12);
          await cashier.expectTransfer(created.one, { status: 2 });
          expect(await unitsAt(chain, "ETH", [known])).toBe(10n ** 17n);
          await changeWhitelist(configFile, { ...payee, change: "remove" }, stage.terminal);
          expect((await ask(known)).codes).toEqual(["7001"]);
        } finally {
          await setWhitelistMode(configFile, { accountId, isWhitelistOnly: false }, stage.terminal);
        }
      });
    }),
  );
}

async function accountOf({ sql, deployment }: Stage): Promise<string> {
  const [row] = await sql<{ readonly id: string }>(
    "select m.account_id as id from credential c join member m on m.id = c.member_id where c.login = $1",
    [deployment.other.login],
  );
  return row?.id ?? "";
}
