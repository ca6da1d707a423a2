import type { SecondOpinion } from "../../src/chains/chain-adapter.ts";
import {
  defaultFollowerSettings,
  type FollowerContext,
  startSession,
} from "../../src/chains/follow/follower-session.ts";
import { takeStep } from "../../src/chains/follow/take-step.ts";
import { createSecondOpinion } from "../../src/chains/second-opinion.ts";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { askSecondOpinions } from "../../src/deposits/payments/ask-second-opinions.ts";
import { createRememberPayments } from "../../src/deposits/payments/remember-payments.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { DepositWorld } from "./deposit-world.ts";
import { type AdapterUnderTest, connectEvm, type PrivateEvm, signal } from "./private-evm.ts";
import type { RpcGateway } from "./rpc-gateway.ts";

/** A private EVM chain that the real follower reads through these gateways, the first one preferred, into real deposits. */
export type WatchedEvm = {
  readonly client: AdapterUnderTest;
  readonly secondOpinion: SecondOpinion;
  /** Gives the deposit a real address of the chain. */
  readonly address: (deposit: Deposit) => Promise<string>;
  /** Asks the other nodes about waiting transfers, as the worker's job does. */
  readonly askOthers: () => Promise<void>;
  /** Has the other nodes show new payments while they can, as the same job does. */
  readonly remember: () => Promise<void>;
  /** Follows until there is nothing to do; rejects with the reason if it cannot. */
  readonly follow: () => Promise<void>;
};

export function watchEvm(
  world: DepositWorld,
  evm: PrivateEvm,
  gateways: readonly RpcGateway[],
): WatchedEvm {
  const [first, ...further] = gateways.map(({ url }) => url);
  const client = connectEvm({
    url: present(first, "a node"),
    furtherUrls: further,
    currencies: evm.currencies,
  });
  const { adapter } = client;
  const context: FollowerContext = {
    db: world.database.db,
    clock: world.clock,
    random: systemRandom,
    logger: silentLogger,
    adapter,
    sink: world.sink,
    ownTxids: null,
    supplyOf: (currency) => world.context.currencies.get(currency).supplyUnits,
    holder: "test",
    startHeight: 0,
    settings: defaultFollowerSettings,
    onProgress: () => undefined,
  };
  const { db, clock } = world.context;
  const secondOpinion = createSecondOpinion({ db, clock, logger: silentLogger, adapter });
  const rememberPayments = createRememberPayments({ ...world.context, secondOpinion });
  return {
    client,
    secondOpinion,
    address: async ({ id }) => {
      const destination = adapter.addressing.depositAt(10_000 + Number(id), null);
      await world.database.sql(
        "update address set address = $1, watch_key = $2, keyspace = $3 where deposit_id = $4",
        [destination.address, adapter.addressing.watchKey(destination), adapter.keyspace, id],
      );
      return destination.address;
    },
    askOthers: async () => {
      await askSecondOpinions({ ...world.context, secondOpinion }, signal);
      await secondOpinion.recordDoubts();
    },
    remember: () => rememberPayments(signal),
    follow: async () => {
      const session = present(await startSession(context, signal), "the chain's lease");
      try {
        for (let step = "moved"; step === "moved"; ) step = await takeStep(context, session);
      } finally {
        await session.end();
      }
    },
  };
}
