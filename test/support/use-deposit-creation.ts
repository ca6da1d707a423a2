import { beforeEach, expect } from "vitest";
import { walletType } from "../../src/accounts/wallets/wallet.ts";
import type { JsonObject, JsonValue } from "../../src/platform/kernel/json.ts";
import type { TestApi } from "./api-server.ts";
import { useDatabase } from "./database.ts";
import { depositApi, postDeposit } from "./deposit-api.ts";
import {
  arrangeWallet,
  depositWorld,
  fillPool,
  rateOf,
  usd,
  type Wallet,
} from "./deposit-world.ts";
import { faults } from "./faults.ts";

/** A beneficiary as in a request: the country in lower case, name and address with one entry each. */
export const ada = {
  naturalPerson: {
    name: { nameIdentifier: [{ primaryIdentifier: "Lovelace", secondaryIdentifier: "Ada" }] },
    geographicAddress: [
      { country: "gb", addressLine: "12 St James's Square", addressType: "HOME" },
    ],
  },
};

/** The attribute that names these beneficiaries. */
export const travelRule = (...beneficiaryPersons: JsonValue[]): JsonObject => ({
  travel_rule_info: { beneficiary: { beneficiaryPersons } },
});

/** Of one account: the Enterprise wallet in ether, the Merchant wallet in dollars. */
export type ReceivingWallets = Readonly<Record<"enterprise" | "merchant", Wallet>>;

/**
 * `POST /deposit/` over the real server and database, with two wallets, full address pools and fresh rates before each test.
 */
export function useDepositCreation() {
  const database = useDatabase();
  const world = depositWorld(database);
  const api: TestApi = depositApi(world);
  const wallets = {} as ReceivingWallets;
  beforeEach(async () => {
    await fillPool(world, "evm", "", 20);
    for (const type of ["bech32", "p2sh-segwit", "legacy"]) await fillPool(world, "BTC", type, 20);
    world.rates.clear();
    world.rates.set("1002 840", rateOf("1999.99")).set("1000 840", rateOf("100000"));
    const enterprise = await arrangeWallet(world);
    const merchant = await arrangeWallet(world, {
      accountId: enterprise.accountId,
      type: walletType.merchant,
      currency: usd,
    });
    Object.assign(wallets, { enterprise, merchant });
  });

  /** Everything that creating a deposit could change. */
  const counts = async () => {
    const [row] = await database.sql(
      `select (select count(*) from deposit) as deposits, (select count(*) from event) as events,
         (select count(*) from address where deposit_id is not null or account_id is not null or issued_at is not null) as issued`,
    );
    return row;
  };

  /** The response's faults, after checking that the request changed nothing. */
  const refused = async (wallet: Wallet, attributes: JsonObject, currency?: JsonValue) => {
    const before = await counts();
    const answer = await postDeposit(
      api,
      wallet,
      attributes,
      currency === undefined ? {} : { currency },
    );
    expect(await counts()).toEqual(before);
    return faults(answer);
  };
  return { database, world, api, wallets, counts, refused };
}
