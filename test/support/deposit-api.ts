import type { Principal } from "../../src/accounts/principal.ts";
import { createCallbackUrlCheck, publicCallbacks } from "../../src/callbacks/callback-url.ts";
import { availabilityFromRow } from "../../src/currencies/availability-row.ts";
import { createFindAvailability } from "../../src/currencies/find-availability.ts";
import { createDepositWriter } from "../../src/deposits/create/create.store.ts";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { readDepositRow } from "../../src/deposits/deposit-list.store.ts";
import { walletLoader } from "../../src/http/accounts/wallet.ts";
import { depositRoutes } from "../../src/http/deposits/deposit.ts";
import { depositResolveRoutes } from "../../src/http/deposits/deposit-resolve.ts";
import { storeSettingsRoutes } from "../../src/http/deposits/store-settings.ts";
import { transferRoutes } from "../../src/http/deposits/transfer.ts";
import { transferReturnRoutes } from "../../src/http/deposits/transfer-return.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { Clock } from "../../src/platform/kernel/clock.ts";
import type { JsonObject, JsonValue } from "../../src/platform/kernel/json.ts";
import { createSeal } from "../../src/platform/kernel/seal.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { type ApiResponse, apiServer, type SeenResource, type TestApi } from "./api-server.ts";
import {
  type DepositWorld,
  ownerOf,
  readTestAddresses,
  testCurrencies,
  testKeyspace,
  type Wallet,
} from "./deposit-world.ts";
import { payoutWorld } from "./payout-world.ts";
import { testDataKey } from "./test-accounts.ts";

/** Ethereum and Bitcoin are followed. */
const chains = { enabled: new Set(["ETH", "BTC"]), disabled: new Set<string>() };

export const testSeal = createSeal(testDataKey, systemRandom);

export function testWriter({ database }: DepositWorld) {
  return createDepositWriter(database.db, (id, row) => {
    const currency = id === null ? null : testCurrencies.find(id);
    if (currency === null) return "available";
    return availabilityFromRow(currency, chains, row);
  });
}

/** Deposits and transfers over HTTP, with the real server, routes and database of a world. */
export function depositApi(
  world: DepositWorld,
  settings: { readonly addressPatienceMs?: number; readonly clock?: Clock } = {},
): TestApi {
  const context = {
    ...world.context,
    seal: testSeal,
    findKeyspace: testKeyspace,
    writer: testWriter(world),
    callbackUrlFault: createCallbackUrlCheck(publicCallbacks),
    rateLockSeconds: 900,
    addressPatienceMs: settings.addressPatienceMs ?? 0,
    clock: settings.clock ?? world.clock,
    readAddresses: readTestAddresses,
  };
  const wallets = {
    db: world.database.db,
    clock: world.clock,
    currencies: testCurrencies,
    findAvailability: createFindAvailability(chains),
  };
  const payingBack = { deposits: context, payouts: payoutWorld(world).context };
  const routes = [
    ...depositRoutes(context),
    ...depositResolveRoutes(payingBack),
    ...storeSettingsRoutes({
      ...context,
      db: world.database.db,
      baseUrl: "http://localhost:8080",
    }),
    ...transferRoutes(context),
    ...transferReturnRoutes(payingBack),
  ];
  return apiServer(routes, { clock: world.clock, loaders: [walletLoader(wallets)] });
}

type Members = Readonly<Record<string, JsonValue>>;

/** The document that creates a deposit; an undefined `currency` omits the relationship. */
export function newDeposit(
  walletId: JsonValue,
  attributes: Members = {},
  currency?: JsonValue,
): JsonObject {
  return {
    data: {
      type: "deposit",
      attributes,
      relationships: {
        wallet: { data: { type: "wallet", id: walletId } },
        ...(currency === undefined
          ? {}
          : { currency: { data: currency === null ? null : { type: "currency", id: currency } } }),
      },
    },
  };
}

/** Creates a deposit over HTTP as the account's owner (or `as`). */
export async function postDeposit(
  { ask }: TestApi,
  { accountId, walletId }: Pick<Wallet, "accountId" | "walletId">,
  attributes: Members = {},
  options: { readonly currency?: JsonValue; readonly as?: Principal } = {},
): Promise<ApiResponse> {
  return ask("POST", "/deposit/", {
    body: newDeposit(walletId, attributes, options.currency),
    as: options.as ?? ownerOf(accountId),
  });
}

/** The deposit of a response that must be 201. */
export function created(answer: ApiResponse): SeenResource {
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return answer.one;
}

/** Creates a deposit over HTTP as the account's owner and reads its row. */
export async function makeDeposit(
  api: TestApi,
  { database }: Pick<DepositWorld, "database">,
  wallet: Pick<Wallet, "accountId" | "walletId">,
  attributes: Members,
  currency?: JsonValue,
): Promise<Deposit> {
  const options = currency === undefined ? {} : { currency };
  const { id } = created(await postDeposit(api, wallet, attributes, options));
  return present(await readDepositRow(database.db, wallet.accountId, id), "the deposit");
}
