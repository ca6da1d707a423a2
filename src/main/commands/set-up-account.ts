import type { AccountReadiness } from "../../chains/paying-port.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { readOwnAccounts } from "../../reports/operations/hot-wallet.store.ts";
import { fillGaps } from "../../treasury/spends/fill-gaps.ts";
import { defaultSpendSettings } from "../../treasury/spends/spend-context.ts";
import { feeCeiling } from "../build/build-pipelines.ts";
import { connectChain } from "../families/connections.ts";
import { familyOf } from "../families/families.ts";
import type { CommandContext } from "./command-context.ts";
import { withDeployment } from "./with-deployment.ts";

export type SetUpOptions = {
  readonly chain: string;
  /** For how long the command waits for what the account lacks. */
  readonly waitSeconds: number;
};

const pollMs = 1_000;

/**
 * `sluice set-up CHAIN`: shows what the account that the chain's deposits share lacks, opens the transactions that set it up (a trust line for each
 * token on Stellar, RequireDest on the XRP Ledger), and waits until the workers have sent them. Does nothing if the account is set up. Rejects
 * when it lacks something that no transaction of its own gives it, or still lacks something in the end.
 */
export async function setUpAccount(
  configFile: string,
  { chain: given, waitSeconds }: SetUpOptions,
  context: CommandContext,
): Promise<void> {
  const chain = given.toUpperCase();
  await withDeployment(configFile, context, async (foundation) => {
    const { config, clock, currencies, db, logger } = foundation;
    const chainConfig = config.chains[chain];
    if (chainConfig === undefined) throw new Error(`${chain} is not a chain of this deployment`);
    if (config.payouts === undefined)
      throw new Error("without [payouts] in the configuration nothing is signed");
    const { createQuoter, close } = await connectChain(chain, {
      ...foundation,
      config: chainConfig,
    });
    const writer = createQuoter();
    const readiness = writer.account?.readiness;
    const { keyspace } = familyOf(chain);
    try {
      if (readiness === undefined) throw new Error(`accounts of ${chain} need no set-up`);
      const hot = (await readOwnAccounts(db)).find(
        (own) => own.keyspace === keyspace.name && own.purpose === "hot",
      );
      if (hot === undefined) throw new Error("the account is unknown before a worker has run");
      const { signal } = new AbortController();
      const settings = { ...defaultSpendSettings, feeCeiling: feeCeiling(foundation, writer) };
      const coinConfirmations = currencies.get(writer.coin).confirmationBlocks;
      const gaps = { db, clock, logger, chain, writer, settings, coinConfirmations };
      await untilReady(clock, waitSeconds, {
        read: () => readiness(hot.address, signal),
        open: async () => {
          const opened = await fillGaps(gaps, hot.address, signal);
          if (opened > 0)
            context.print(`${hot.address}: ${opened} transaction opened for the workers`);
        },
      });
      context.print(`${hot.address} is set up`);
    } finally {
      await close();
    }
  });
}

type Steps = {
  readonly read: () => Promise<AccountReadiness>;
  /** Opens the next transaction if nothing of the account is pending. */
  readonly open: () => Promise<void>;
};

async function untilReady(clock: Clock, waitSeconds: number, { read, open }: Steps) {
  for (let left = waitSeconds; ; left -= 1) {
    const found = await read();
    if (found === "ready") return;
    if (found === "unauthorized")
      throw new Error(
        "the issuer of a token has not authorized the account to hold the token: ask the issuer to authorize the account",
      );
    if (found === "missing")
      throw new Error("the account does not exist: send your own money to it first");
    if (found === "needsFunds")
      throw new Error("the account has too little to set itself up: send more of your own money");
    await open();
    if (left <= 0)
      throw new Error("the account is not set up yet: a worker has to sign and send what is open");
    await clock.sleep(pollMs);
  }
}
