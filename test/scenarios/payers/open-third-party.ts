import type { SandboxChain } from "../../../src/sandbox/sandbox-file.ts";
import type { TestSite } from "../support/test-site.ts";
import { payAlgorand } from "./pay-algorand.ts";
import { payCardano } from "./pay-cardano.ts";
import { payEvm } from "./pay-evm.ts";
import { payMonero } from "./pay-monero.ts";
import { payStellar } from "./pay-stellar.ts";
import { payTon } from "./pay-ton.ts";
import { payTron } from "./pay-tron.ts";
import { payUtxo } from "./pay-utxo.ts";
import { payXrpl } from "./pay-xrpl.ts";
import type { OpenThirdParty, ThirdParty } from "./third-party.ts";

const families: {
  readonly [Family in SandboxChain["family"]]: OpenThirdParty<
    Extract<SandboxChain, { readonly family: Family }>
  >;
} = {
  algorand: payAlgorand,
  cardano: payCardano,
  evm: payEvm,
  monero: payMonero,
  stellar: payStellar,
  ton: payTon,
  tron: payTron,
  utxo: payUtxo,
  xrpl: payXrpl,
};

/** The payer of a chain of the sandbox. */
export async function openThirdParty(
  chain: string,
  reached: SandboxChain,
  site: TestSite,
): Promise<ThirdParty> {
  return await (families[reached.family] as OpenThirdParty)(chain, reached, site);
}
