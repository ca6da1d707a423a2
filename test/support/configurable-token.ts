import { encodeFunctionData } from "viem/utils";
import artifacts from "../../src/sandbox/contracts/artifacts.gen.json" with { type: "json" };
import { type PrivateEvm, signal } from "./private-evm.ts";

/** The behaviors of `ConfigurableToken.sol`, in its order. */
export const behaviors = [
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

export type Behavior = (typeof behaviors)[number];

/** A token whose contract changes its behavior. */
export type ConfigurableToken = {
  readonly address: string;
  /** In a block of its own. */
  readonly setBehavior: (behavior: Behavior) => Promise<void>;
  /** From the developer account that holds the whole supply at first, in a block of its own. */
  readonly pay: (to: string, units: bigint) => Promise<void>;
  /** The contract's stored balance, where it reports it correctly. */
  readonly held: (address: string) => Promise<bigint>;
};

export async function deployConfigurableToken(evm: PrivateEvm): Promise<ConfigurableToken> {
  const address = await evm.deploy("ConfigurableToken", [10n ** 18n]);
  const send = async (...call: readonly [string, ...unknown[]]): Promise<void> => {
    await evm.send({ to: address, call: ["ConfigurableToken", ...call] });
    await evm.mine();
  };
  return {
    address,
    setBehavior: (behavior) => send("setBehavior", behaviors.indexOf(behavior)),
    pay: (to, units) => send("transfer", to, units),
    held: async (owner) => {
      const { abi } = artifacts.ConfigurableToken;
      const data = encodeFunctionData({ abi, functionName: "balanceOf", args: [owner] });
      return BigInt(
        await evm.rpc.call<string>("eth_call", [{ to: address, data }, "latest"], signal),
      );
    },
  };
}
