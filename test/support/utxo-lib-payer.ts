import { bitgo, ECPair, networks, payments, address as spelling } from "@bitgo/utxo-lib";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { OutsidePayer } from "./outside-payer.ts";

/** Its name of version 4 under the rules of an upgrade; the branch id is then set to that of NU6.3, which it does not know. */
const version = bitgo.ZcashTransaction.VERSION4_BRANCH_NU5;
const branchId = 0x37a5165b;
const network = networks.zcashTest;
const allInputsAndOutputs = 1;

/**
 * Pays on Zcash with @bitgo/utxo-lib, in transactions of version 4. Its signatures of version 5 follow a draft of ZIP-244, without
 * amounts and scripts of all inputs, so no node accepts them.
 */
export function utxoLibPayer(): OutsidePayer {
  const key = ECPair.fromPrivateKey(Buffer.from(systemRandom.bytes(32)));
  const ownScript = present(payments.p2pkh({ pubkey: key.publicKey }).output, "an output script");
  const own = spelling.fromOutputScript(ownScript, network);
  const read = (raw: string) =>
    bitgo.ZcashTransaction.fromBuffer<bigint>(Buffer.from(raw, "hex"), false, "bigint", network);
  return {
    address: own,
    idOf: (raw) => read(raw).getId(),
    spend: (funding, outputs, feeUnits) => {
      const previous = read(funding);
      const index = previous.outs.findIndex(({ script }) => ownScript.equals(script));
      const taken = present(previous.outs[index], "an output to the payer").value;
      const rest = outputs.reduce((left, { units }) => left - units, taken - feeUnits);
      const builder = new bitgo.ZcashTransactionBuilder<bigint>(network);
      builder.setDefaultsForVersion(network, version);
      builder.setConsensusBranchId(branchId);
      builder.addInput(previous.getId(), index, 0xffffffff, ownScript, taken);
      for (const output of outputs)
        builder.addOutput(spelling.toOutputScript(output.address, network), output.units);
      if (rest > 0n) builder.addOutput(ownScript, rest);
      builder.sign({
        prevOutScriptType: "p2pkh",
        vin: 0,
        keyPair: key,
        hashType: allInputsAndOutputs,
      });
      return Promise.resolve(builder.build().toHex());
    },
  };
}
