import type { Abi, Address, Hex } from "viem";
import { mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import {
  bytesToHex,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  padHex,
} from "viem/utils";
import artifacts from "../../src/chains/evm/artifacts.gen.json" with { type: "json" };
import { present } from "../../src/platform/kernel/assert.ts";
import tokenArtifacts from "../../src/sandbox/contracts/artifacts.gen.json" with { type: "json" };
import type { ContractName } from "../../src/sandbox/deploy-tokens.ts";
import { type PrivateEvm, signal } from "./private-evm.ts";

const words = "test test test test test test test test test test test junk";
const deployer: Address = "0x4e59b44847b379578588920ca78fbf26c0b4956c";

export const coin: Address = "0x0000000000000000000000000000000000000000";
const delegateAbi = artifacts.SweepDelegate.abi as Abi;

export type Key = PrivateKeyAccount;

/** Key `index` of an account of the tests' mnemonic: 0 deposits, 1 hot, 2 gas. */
export function keyAt(accountIndex: number, addressIndex: number): Key {
  const { privateKey } = mnemonicToAccount(words, { accountIndex, addressIndex }).getHdKey();
  return privateKeyToAccount(bytesToHex(present(privateKey, "a private key")));
}

/** Creation code and address (CREATE2) of the delegate with destination `to` and caller `by`. */
export function delegateOf(
  to: Address,
  by: Address,
): { readonly initCode: Hex; readonly address: Address } {
  const initCode = concatHex([
    artifacts.SweepDelegate.bytecode as Hex,
    encodeAbiParameters([{ type: "address" }, { type: "address" }], [to, by]),
  ]);
  const salt = padHex("0x", { size: 32 });
  const address = getContractAddress({
    opcode: "CREATE2",
    from: deployer,
    salt,
    bytecode: initCode,
  });
  return { initCode, address: address.toLowerCase() as Address };
}

export type DelegateTools = ReturnType<typeof delegateToolsOn>;

/** What sweeping tests do on a chain with ordinary transactions. */
export function delegateToolsOn(chain: PrivateEvm) {
  const rpc = <Result>(method: string, params: readonly unknown[]): Promise<Result> =>
    chain.rpc.callOnce<Result>(method, params, signal);
  const nonceOf = async (address: Address): Promise<number> =>
    Number(await rpc<Hex>("eth_getTransactionCount", [address, "latest"]));

  const setBalance = async (address: Address, units: bigint): Promise<void> => {
    await rpc("anvil_setBalance", [address, `0x${units.toString(16)}`]);
  };

  /** Mines a transaction that `from` signs; resolves with the receipt. */
  const run = async (
    from: Key,
    transaction: {
      readonly to: Address;
      readonly data?: Hex;
      readonly value?: bigint;
      readonly gas?: bigint;
      readonly authorize?: readonly { readonly key: Key; readonly to: Address }[];
    },
  ): Promise<{ readonly status: Hex; readonly gasUsed: Hex }> => {
    const authorizationList = await Promise.all(
      (transaction.authorize ?? []).map(async ({ key, to }) =>
        key.signAuthorization({
          address: to,
          chainId: chain.anvil.chainId,
          nonce: await nonceOf(key.address),
        }),
      ),
    );
    const { to, data = "0x", value = 0n, gas = 5_000_000n } = transaction;
    const common = {
      chainId: chain.anvil.chainId,
      nonce: await nonceOf(from.address),
      to,
      data,
      value,
      gas,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    };
    const raw =
      authorizationList.length === 0
        ? await from.signTransaction({ ...common, type: "eip1559" })
        : await from.signTransaction({ ...common, type: "eip7702", authorizationList });
    const txid = await rpc<Hex>("eth_sendRawTransaction", [raw]);
    await chain.mine();
    return await rpc("eth_getTransactionReceipt", [txid]);
  };

  return {
    rpc,
    nonceOf,
    setBalance,
    run,
    codeOf: (address: Address): Promise<Hex> => rpc<Hex>("eth_getCode", [address, "latest"]),
    coinOf: async (address: Address): Promise<bigint> =>
      BigInt(await rpc<Hex>("eth_getBalance", [address, "latest"])),
    tokenOf: async (token: string, address: Address): Promise<bigint> => {
      const data = encodeFunctionData({
        abi: tokenArtifacts.DollarLike.abi as Abi,
        functionName: "balanceOf",
        args: [address],
      });
      return BigInt(await rpc<Hex>("eth_call", [{ to: token, data }, "latest"]));
    },
    /** From the developer account that holds every test token. */
    pay: async (contract: ContractName, token: string, to: Address, units: bigint) => {
      await chain.send({ to: token, call: [contract, "transfer", to, units] });
      await chain.mine();
    },
    /** Deploys the delegate that the payer calls, with the deterministic deployer, which has the same address on every chain. */
    deployDelegate: async (payer: Key, to: Address): Promise<Address> => {
      const { initCode, address } = delegateOf(to, payer.address);
      const data = concatHex([padHex("0x", { size: 32 }), initCode]);
      await run(payer, { to: deployer, data });
      return address;
    },
    encode: (functionName: "sweep" | "sweepMany", args: readonly unknown[]): Hex =>
      encodeFunctionData({ abi: delegateAbi, functionName, args }),
  };
}
