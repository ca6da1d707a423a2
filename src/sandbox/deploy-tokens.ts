import type { Abi, Hex } from "viem";
import { encodeDeployData, getContractAddress } from "viem/utils";
import { evmChainOf } from "../chains/evm/evm-chain.ts";
import type { JsonRpc } from "../chains/rpc/json-rpc.ts";
import type { Coin } from "../currencies/coin.ts";
import { present } from "../platform/kernel/assert.ts";
import artifacts from "./contracts/artifacts.gen.json" with { type: "json" };

export type ContractName = keyof typeof artifacts;

/** In whole tokens. */
const supply = 10n ** 9n;

/** The first developer account: it deploys the tokens and holds all of them. */
const deployer: Hex = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

/**
 * Deploys the test tokens of an EVM coin unless they exist, at the same addresses on every chain, and resolves with their contracts
 * by alpha code.
 */
export async function deployTokens(
  rpc: JsonRpc,
  coin: Coin,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const contracts: Record<string, string> = {};
  const tokens = Object.entries(evmChainOf(coin).sandbox.tokens);
  for (const [nonce, [alpha, contract]] of tokens.entries()) {
    const token = coin.tokens.find((candidate) => candidate.alpha === alpha);
    const { exp } = present(token, `${alpha} on ${coin.chain.id}`);
    const address = getContractAddress({ from: deployer, nonce: BigInt(nonce) });
    const code = await rpc.call<string>("eth_getCode", [address, "latest"], signal);
    if (code === "0x") {
      const deploy = () => deployContract(rpc, contract, [supply * 10n ** BigInt(exp)], signal);
      const deployed = await withNonce(rpc, nonce, deploy, signal);
      if (deployed !== address)
        throw new Error(`${alpha} was deployed at ${deployed} instead of ${address}`);
    }
    contracts[alpha] = address;
  }
  return contracts;
}

/** Works with a nonce of the deployer, also if it was used: a chain of an earlier version lacks tokens that were added since. */
async function withNonce<Result>(
  rpc: JsonRpc,
  nonce: number,
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const used = await rpc.call<string>("eth_getTransactionCount", [deployer, "latest"], signal);
  if (Number(used) === nonce) return await work();
  await rpc.callOnce("anvil_setNonce", [deployer, `0x${nonce.toString(16)}`], signal);
  const result = await work();
  await rpc.callOnce("anvil_setNonce", [deployer, used], signal);
  return result;
}

/** Deploys one of the test contracts from the first developer account, mines it, and resolves with its address. */
export async function deployContract(
  rpc: JsonRpc,
  name: ContractName,
  args: readonly unknown[],
  signal: AbortSignal,
): Promise<string> {
  const { abi, bytecode } = artifacts[name];
  const data = encodeDeployData({ abi: abi as Abi, bytecode: bytecode as Hex, args });
  const txid = await rpc.callOnce<string>(
    "eth_sendTransaction",
    [{ from: deployer, data, gas: "0x4c4b40" }],
    signal,
  );
  await rpc.callOnce("evm_mine", [], signal);
  const receipt = await rpc.call<{ contractAddress: Hex; status: Hex } | null>(
    "eth_getTransactionReceipt",
    [txid],
    signal,
  );
  if (receipt?.status !== "0x1") throw new Error(`${name} was not deployed`);
  return getContractAddress({ from: deployer, nonce: await nonceOf(rpc, txid, signal) });
}

async function nonceOf(rpc: JsonRpc, txid: string, signal: AbortSignal): Promise<bigint> {
  const { nonce } = await rpc.call<{ nonce: Hex }>("eth_getTransactionByHash", [txid], signal);
  return BigInt(nonce);
}
