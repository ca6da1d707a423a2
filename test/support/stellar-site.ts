import type { StellarSite } from "../../src/sandbox/sandbox-file.ts";
import { faucet, networkPassphrase, tokens } from "../../src/sandbox/stellar/genesis.ts";

/** How a simulated Stellar network on that port is reached. */
export function stellarSiteAt(port: number): StellarSite {
  const url = `http://127.0.0.1:${port}`;
  return {
    family: "stellar",
    simulated: true,
    rpc_url: `${url}/rpc`,
    horizon_url: `${url}/horizon`,
    sandbox_url: `${url}/sandbox`,
    faucet_secret: faucet.secret(),
    network_passphrase: networkPassphrase,
    tokens,
  };
}
