import { describe, expect, it } from "vitest";
import {
  arrangeDeposit,
  arrangeWallet,
  eth,
  ownerOf,
  usdt,
} from "../../../test/support/deposit-world.ts";
import { fund } from "../../../test/support/payout-world.ts";
import { usePayoutCreation } from "../../../test/support/use-payout-creation.ts";
import type { Principal } from "../../accounts/principal.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";

/* `POST /payout/` to receivers inside the service, over the real server and database. */

const { database, world, payouts, account, make, makeWith, balanceOf, stored } =
  usePayoutCreation();

describe("internal payouts", () => {
  it("pays a deposit's address at once, without a fee, and does not reveal its owner", async () => {
    const other = await arrangeWallet(world);
    const deposit = await arrangeDeposit(world, other);
    const callback_url = "https://shop.example/payouts";
    const attributes = { address: deposit.address, fee_amount: undefined, callback_url };
    payouts.fees.answer = null;
    const { id, attributes: shown } = await makeWith(account.wallet, attributes);
    expect(shown).toMatchObject({
      status: 2,
      address: deposit.address,
      target_deposit: null,
      target_wallet: null,
      fee_amount: "0.000000000000000000",
    });
    expect(await balanceOf(account.wallet)).toEqual({
      available: 9_900_000_000_000_000_000n,
      held: 0n,
    });
    expect(await balanceOf(other)).toEqual({ available: 10n ** 17n, held: 0n });
    expect(await stored(id)).toMatchObject({
      stage: "internal",
      is_internal: true,
      target_deposit_id: deposit.id,
      approval: null,
    });
    const [transfer] = await database.sql("select * from transfer where payout_id = $1", [id]);
    expect(transfer).toMatchObject({ status: 2, txid: null, is_confirmed: true });
    const callbacks = await database.sql<{ trigger: string; url: string }>(
      `select e.trigger, c.url from event e join callback c on c.account_id = e.account_id and c.event_id = e.id where e.object_id = $1`,
      [id],
    );
    expect(callbacks).toEqual([{ trigger: "confirmed", url: callback_url }]);
    const transit = await database.sql(
      `select coalesce(sum(case when debit = 'transit/1002' then units else -units end), 0) as units
       from posting where 'transit/1002' in (debit, credit)`,
    );
    expect(transit).toEqual([{ units: 0n }]);
  });

  it("pays a deposit of any account by its page id, and a wallet as attribute or relationship", async () => {
    const other = await arrangeWallet(world);
    const deposit = await arrangeDeposit(world, other);
    const target_deposit = deposit.paymentPageId.toUpperCase();
    const first = await makeWith(account.wallet, { address: undefined, target_deposit });
    expect(first.attributes).toMatchObject({
      target_deposit: deposit.paymentPageId,
      address: deposit.address,
      target_wallet: null,
    });
    const beside = await arrangeWallet(world, { accountId: account.wallet.accountId });
    const second = await makeWith(account.wallet, {
      address: undefined,
      target_wallet: beside.walletId,
      fee_amount: undefined,
    });
    expect(second.attributes).toMatchObject({
      target_wallet: beside.walletId,
      address: null,
      destination: null,
    });
    const relationships = { target_wallet: { data: { type: "wallet", id: beside.walletId } } };
    await make(account.wallet, { attributes: { address: undefined }, relationships });
    expect((await balanceOf(beside))?.available).toBe(2n * 10n ** 17n);
    expect((await balanceOf(other))?.available).toBe(10n ** 17n);
  });

  it("pays on the chain with a fee, if a Merchant wallet forces it", async () => {
    const merchant = await arrangeWallet(world, { type: walletType.merchant, currency: eth });
    await fund(world, merchant, "1");
    const deposit = await arrangeDeposit(world, account.wallet);
    const byAddress = { address: deposit.address, force_blockchain: true };
    const byPage = {
      address: undefined,
      target_deposit: deposit.paymentPageId,
      force_blockchain: true,
    };
    for (const attributes of [byAddress, byPage]) {
      const payout = await makeWith(merchant, attributes);
      expect(payout.attributes).toMatchObject({
        force_blockchain: true,
        address: deposit.address,
        fee_amount: "0.000000000000000200",
      });
      expect(await stored(payout.id)).toMatchObject({ is_internal: false, stage: "held" });
    }
  });

  it("pays an address on the chain if its deposit is in another currency", async () => {
    const tether = await arrangeWallet(world, {
      accountId: account.wallet.accountId,
      currency: usdt,
    });
    const deposit = await arrangeDeposit(world, tether);
    const { id } = await makeWith(account.wallet, { address: deposit.address });
    expect(await stored(id)).toMatchObject({ is_internal: false, target_deposit_id: null });
  });

  it("waits for approval if the creator's payouts do", async () => {
    const beside = await arrangeWallet(world, { accountId: account.wallet.accountId });
    const as: Principal = {
      ...ownerOf(account.wallet.accountId),
      role: "withdrawals_with_approval",
    };
    const attributes = { address: undefined, target_wallet: beside.walletId };
    const { id } = await make(account.wallet, { as, attributes });
    expect(await stored(id)).toMatchObject({ stage: "waiting", status: 1, is_internal: true });
    expect(await balanceOf(beside)).toEqual({ available: 0n, held: 0n });
    expect((await balanceOf(account.wallet))?.held).toBe(10n ** 17n);
  });
});
