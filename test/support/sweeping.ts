import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import type { ChainAdapter } from "../../src/chains/chain-adapter.ts";
import type {
  Draft,
  DraftOutcome,
  SweepPlan,
  SweepState,
  SweepSurvey,
} from "../../src/chains/paying-port.ts";
import type { DerivedAddressing } from "../../src/chains/port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import type { KeyRing } from "../../src/signer/draft-signer.ts";
import { createEvmDraftSigner } from "../../src/signer/evm/draft-signer.ts";
import type { SweepSource } from "../../src/signer/intent.ts";
import { type PrivateEvm, signal } from "./private-evm.ts";

/** The tests' mnemonic, as the signer uses it. */
export function createTestKeys(): KeyRing {
  const seed = mnemonicToSeedSync("test test test test test test test test test test test junk");
  return { at: (path) => HDKey.fromMasterSeed(seed).derive(path) };
}

export type SweepingTools = ReturnType<typeof sweepingToolsOn>;

/** Sweeps like the program, with its own drafts and signatures, one step at a time. */
export function sweepingToolsOn(chain: PrivateEvm, adapter: ChainAdapter<DerivedAddressing>) {
  const keys = createTestKeys();
  const signer = createEvmDraftSigner({
    chain: adapter.chain,
    chainId: chain.anvil.chainId,
    coldAddress: null,
  });
  const sweeper = present(adapter.sweeper, "a sweeper");
  const writer = present(adapter.writer, "a writer");
  const gasAccount = present(adapter.addressing.treasury, "own accounts").gas.address;
  const feeCeiling = 10n ** 17n;

  const survey = (
    keyIndexes: readonly number[],
    currencies: readonly CurrencyId[],
  ): Promise<SweepSurvey> =>
    sweeper.survey(
      keyIndexes.map((keyIndex) => {
        const { address } = adapter.addressing.depositAt(keyIndex, null);
        return { keyIndex, address, currencies };
      }),
      signal,
    );

  const draft = async (plan: SweepPlan): Promise<DraftOutcome> => {
    const account = present(writer.account, "accounts");
    const nextSequence = present(account.nextSequence, "sequence numbers");
    const sequence =
      plan.kind === "single" ? plan.state.sequence : await nextSequence(gasAccount, signal);
    return sweeper.draft({ plan, sequence, feeCeiling }, signal);
  };

  /** Has the signer inspect and sign it, and broadcasts it. */
  const send = async (sent: Draft, purpose: Purpose): Promise<string> => {
    const common = { spendId: "1", chain: adapter.chain, feeCeiling: feeCeiling.toString() };
    const inspected = signer.inspect(sent.body, { ...common, ...purpose }, keys);
    if (inspected.claims.join() !== sent.claims.join())
      throw new Error(`the signer reads ${inspected.claims.join()} for ${sent.claims.join()}`);
    const { txid, raw } = signer.sign(sent.body, keys);
    const outcome = await writer.broadcast(raw, signal);
    if (outcome.kind !== "accepted") throw new Error(JSON.stringify(outcome));
    return txid;
  };

  return {
    keys,
    survey,
    draft,
    replace: (replaced: Draft) =>
      present(sweeper.replace, "replacements")(replaced, feeCeiling, signal),
    send,
    /** Drafts, signs, broadcasts and mines. */
    carryOut: async (plan: SweepPlan, purpose: Purpose): Promise<{ readonly gasUsed: bigint }> => {
      const outcome = await draft(plan);
      if (outcome.kind !== "draft") throw new Error(describeOutcome(outcome));
      const txid = await send(outcome.draft, purpose);
      await chain.mine();
      const receipt = await chain.rpc.call<{ status: string; gasUsed: string }>(
        "eth_getTransactionReceipt",
        [txid],
        signal,
      );
      if (receipt.status !== "0x1") throw new Error("the transaction was reverted");
      return { gasUsed: BigInt(receipt.gasUsed) };
    },
  };
}

export type Purpose =
  | { readonly kind: "sweep"; readonly sources: readonly SweepSource[] }
  | { readonly kind: "top_up"; readonly keyIndex: number; readonly units: string }
  | { readonly kind: "undelegate"; readonly keyIndexes: readonly number[] };

/** The coin units that the address lacks to move its first asset itself; 0 if it lacks none. */
export function topUpUnitsOf({ assets }: SweepState): bigint {
  const { preparation } = present(assets[0], "an asset");
  if (preparation === null) return 0n;
  if (preparation.kind !== "topUp") throw new Error("resources are lent");
  return preparation.units;
}

function describeOutcome(outcome: DraftOutcome): string {
  return JSON.stringify(outcome, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}
