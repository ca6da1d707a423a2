import type { Principal } from "../accounts/principal.ts";
import { NodeError } from "../chains/rpc/node-error.ts";
import type { ChainId } from "../currencies/currency.ts";
import { reject } from "../platform/kernel/rejection.ts";
import type { CallbackReceiver } from "./callback-receiver.ts";
import type { Faucet } from "./faucet.ts";
import { type PlayContext, simulatePayment } from "./simulate-payment.ts";
import type { Simulator, SimulatorAction } from "./simulator.ts";

export type SimulatorContext = Omit<PlayContext, "useFaucet"> & {
  /** The running chains. */
  readonly chains: readonly ChainId[];
  readonly openFaucet: (chain: ChainId) => Faucet;
  /** The demo account; only its Owner may use the simulator. */
  readonly accountId: string;
  readonly receiver: CallbackReceiver;
};

/** An action without its id and time. */
export type Done = Omit<SimulatorAction, "id" | "at">;

const actionsMax = 200;

/** The simulator of the sandbox's pages: `sluice pay`, `mine`, `reorg` and a callback receiver. */
export function createSimulator(context: SimulatorContext): Simulator {
  const { clock, receiver } = context;
  const actions: SimulatorAction[] = [];
  let count = 0;
  const record = (done: Done): SimulatorAction => {
    count += 1;
    const action = { ...done, id: String(count), at: clock.now() };
    actions.unshift(action);
    actions.splice(actionsMax);
    return action;
  };
  const useFaucet = createUseFaucet(context);
  const play: PlayContext = { ...context, useFaucet };
  const allow = (principal: Principal): void => {
    if (principal.accountId !== context.accountId || principal.role !== "owner")
      reject("permissionDenied", "Only the Owner of the demo account can use the simulator.");
  };
  return {
    pay: async (principal, request) => {
      allow(principal);
      const done = await simulatePayment(play, principal, request);
      return done === null ? null : record(done);
    },
    mine: async (principal, chain, blocks) => {
      allow(principal);
      const { height } = await useFaucet(chain, (faucet) => faucet.mine(blocks));
      const text = blocks === 1 ? "Mined a block." : `Mined ${blocks} blocks.`;
      return record({ ...ofChain(chain, "block", height), text });
    },
    reorg: async (principal, chain, depth, transactions) => {
      allow(principal);
      const { height } = await useFaucet(chain, (faucet) => faucet.reorg(depth, transactions));
      const outcome =
        transactions === "wait"
          ? "Their transactions are pending again."
          : "The new blocks include their transactions.";
      const replaced = depth === 1 ? "the newest block" : `the newest ${depth} blocks`;
      return record({
        ...ofChain(chain, "reorg", height),
        text: `Replaced ${replaced}. ${outcome}`,
      });
    },
    actions: (principal) => {
      allow(principal);
      return actions;
    },
    receiver: (principal) => {
      allow(principal);
      return receiver.state();
    },
    setReceiver: (principal, answer) => {
      allow(principal);
      receiver.setAnswer(answer);
      return receiver.state();
    },
    deliveries: (principal) => {
      allow(principal);
      return receiver.deliveries();
    },
  };
}

function ofChain(chain: string, kind: "block" | "reorg", height: number) {
  return {
    kind,
    chain,
    height,
    story: null,
    depositId: null,
    currency: null,
    amount: null,
    txid: null,
  };
}

/** Runs `work` with a chain's faucet, then closes it. A node's refusal is reported in the node's words. */
function createUseFaucet({ chains, openFaucet }: SimulatorContext) {
  return async <Result>(
    chainId: ChainId,
    work: (faucet: Faucet) => Promise<Result>,
  ): Promise<Result> => {
    if (!chains.includes(chainId))
      reject("invalidValue", `This sandbox runs ${chains.join(", ")}.`, {
        pointer: "/data/attributes/chain",
      });
    const faucet = openFaucet(chainId);
    try {
      return await work(faucet);
    } catch (error) {
      if (error instanceof NodeError)
        reject("invalidValue", `The node rejected the transaction: ${error.message}`);
      throw error;
    } finally {
      await faucet.close();
    }
  };
}
