import { type Clock, secondsBetween } from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { endIfDamaged } from "../end-if-damaged.ts";
import { readMarkText } from "../journal/database-mark.ts";
import type { AccountKey, PairState, SignerRequest } from "../protocol.ts";
import { type Desk, NotTheActive } from "../serve-signer.ts";
import { openEpochFile } from "./epoch-file.ts";
import { openFolderTokens } from "./folder-tokens.ts";
import { type Lead, lead } from "./lead.ts";
import type { Replica } from "./open-replica.ts";
import type { PairSettings } from "./pair-settings.ts";
import { connectToPeer } from "./peer.ts";
import { createStandby } from "./stand-by.ts";
import type { Witness, Witnessed } from "./witness.ts";

/** A signer of a pair: first standby, then, once the witness says so, active. It never becomes standby again: its process ends. */
export type SignerPair = {
  readonly desk: Desk;
  /** Resolves with the reason when the process has to end, and to start again as a standby. */
  readonly ended: Promise<string>;
  readonly close: () => Promise<void>;
};

/** The keys and journals of the active signer, opened when it becomes active. */
export type OpenActive = (
  mirrors: Partial<Pick<Lead, "mirrors" | "markMirror">>,
) => Promise<OpenedActive>;

type OpenedActive = { readonly answer: Desk["answer"]; readonly close: () => Promise<void> };

/** Runs a signer of a pair until closed. */
export async function runPair(
  settings: PairSettings & { readonly folder: string; readonly policy: string },
  context: {
    readonly witness: Witness;
    readonly replica: Replica;
    readonly accounts: readonly AccountKey[];
    readonly openActive: OpenActive;
    readonly clock: Clock;
    readonly logger: Logger;
  },
): Promise<SignerPair> {
  const { name, folder } = settings;
  const { witness, replica, clock, logger, accounts } = context;
  const epochs = await openEpochFile(folder);
  const tokens = await openFolderTokens(folder);
  const standby = createStandby({ ...settings, witness, replica, epochs, tokens, clock, logger });
  const closing = new AbortController();
  const ending = Promise.withResolvers<string>();
  let leading: Leading | null = null;

  const answerAsStandby: Desk["answer"] = async ({ call }, held) => {
    if (call.method === "replica") return standby.answer(call);
    if (call.method === "rights") return held;
    if (call.method === "accountKeys") return accounts;
    throw new NotTheActive(`${name} is the standby`);
  };

  const openWith = async (leader: Lead): Promise<OpenedActive> => {
    const giveUp = (): void => void leader.close();
    closing.signal.addEventListener("abort", giveUp, { once: true });
    try {
      await leader.ready();
      return await context.openActive(leader);
    } catch (error) {
      await leader.close();
      throw error;
    } finally {
      closing.signal.removeEventListener("abort", giveUp);
    }
  };

  const promote = async (granted: Witnessed): Promise<void> => {
    await replica.close();
    const markText = await readMarkText(folder);
    const { epoch } = granted.record;
    const leader = lead({ ...settings, standby: settings.peer.name, markText }, granted, {
      witness,
      connect: (session) => connectToPeer(settings, { epoch, session }, clock),
      tokens,
      clock,
      logger,
      onDeposed: () => {
        ending.resolve("another signer is active");
      },
    });
    const active = await openWith(leader);
    // The standby can write what this one cannot, and must not be kept waiting.
    const answer = endIfDamaged(active.answer, ending.resolve);
    leading = { epoch, leader, ...active, answer };
    logger.info("this signer is active", { name, epoch });
  };

  const pairStateOf = ({ epoch, leader }: Pick<Leading, "epoch" | "leader">): PairState => {
    const { isInSync, confirmedAt } = leader.state();
    const ageSeconds = Math.max(0, secondsBetween(confirmedAt, clock.now()));
    return { name, epoch, standby: settings.peer.name, isInSync, ageSeconds };
  };

  const running = standby
    .untilActive(closing.signal)
    .then((granted) => (granted === null ? undefined : promote(granted)))
    .catch((error: unknown) => {
      ending.resolve(errorMessage(error));
    });

  return {
    desk: {
      epoch: () => leading?.epoch ?? standby.epoch(),
      answer: (request, held) =>
        leading === null
          ? answerAsStandby(request, held)
          : answerAsActive(leading, pairStateOf, request, held),
    },
    ended: ending.promise,
    close: async () => {
      closing.abort();
      await running;
      if (leading === null) {
        await replica.close();
        return;
      }
      const { leader, close } = leading;
      const closed = close();
      if (await isSettledWithin(closed, clock)) await leader.resign();
      // What is still being replicated then is given up: it never left this signer.
      await leader.close();
      await closed;
    },
  };
}

/** How long requests that wait for the other signer and the witness may hold up the end of the process. */
const closingMs = 5_000;

async function isSettledWithin(work: Promise<void>, clock: Clock): Promise<boolean> {
  const settled = new AbortController();
  const isDone = work.then(() => true);
  const isLate = clock.sleep(closingMs, settled.signal).then(() => false);
  const result = await Promise.race([isDone, isLate]);
  settled.abort();
  return result;
}

type Leading = {
  readonly epoch: number;
  readonly leader: Lead;
  readonly answer: Desk["answer"];
  readonly close: () => Promise<void>;
};

async function answerAsActive(
  { epoch, leader, answer }: Leading,
  stateOf: (leading: Pick<Leading, "epoch" | "leader">) => PairState,
  request: SignerRequest,
  held: Parameters<Desk["answer"]>[1],
): Promise<unknown> {
  const { method } = request.call;
  if (method === "rights" || method === "accountKeys") return answer(request, held);
  if (method === "pairState") return stateOf({ epoch, leader });
  if (request.epoch > epoch) throw new NotTheActive(`epoch ${epoch} is over`);
  const result = await answer(request, held);
  // What it answers must still hold: a signer that was paused may have been replaced while it answered.
  await leader.confirm();
  return result;
}
