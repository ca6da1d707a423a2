import { encodeFunctionData } from "viem/utils";
import artefacts from "../../src/sandbox/contracts/artefacts.gen.json" with { type: "json" };
import { type PrivateEvm, signal } from "./private-evm.ts";

/** The moods of `MoodyToken.sol`, in its order. */
export const moods = [
  "good",
  "refusing",
  "reverting",
  "revertingAtLength",
  "answeringAtLength",
  "burning",
  "callingBack",
  "blind",
  "blindAtLength",
  "blindAndBurning",
  "silent",
  "boasting",
  "idle",
  "halving",
  "astray",
  "keepingAFee",
  "draining",
] as const;

export type Mood = (typeof moods)[number];

/** A token whose contract changes its behavior. */
export type MoodyToken = {
  readonly address: string;
  /** In a block of its own. */
  readonly setMood: (mood: Mood) => Promise<void>;
  /** From the developer account that holds the whole supply at first, in a block of its own. */
  readonly pay: (to: string, units: bigint) => Promise<void>;
  /** The contract's stored balance, where it reports it correctly. */
  readonly held: (address: string) => Promise<bigint>;
};

export async function moodyToken(evm: PrivateEvm): Promise<MoodyToken> {
  const address = await evm.deploy("MoodyToken", [10n ** 18n]);
  const send = async (...call: readonly [string, ...unknown[]]): Promise<void> => {
    await evm.send({ to: address, call: ["MoodyToken", ...call] });
    await evm.mine();
  };
  return {
    address,
    setMood: (mood) => send("setMood", moods.indexOf(mood)),
    pay: (to, units) => send("transfer", to, units),
    held: async (owner) => {
      const { abi } = artefacts.MoodyToken;
      const data = encodeFunctionData({ abi, functionName: "balanceOf", args: [owner] });
      return BigInt(
        await evm.rpc.call<string>("eth_call", [{ to: address, data }, "latest"], signal),
      );
    },
  };
}
