import type { CallbackPolicySettings } from "../../callbacks/callback-url.ts";
import type { Config } from "../config/config.ts";

/** The configured policy for callback URLs. An empty list of ports allows all. */
export function callbackSettings(config: Pick<Config, "callbacks">): CallbackPolicySettings {
  const { allows_http, allowed_ports, allowed_networks, refused_networks } = config.callbacks;
  return {
    allowsHttp: allows_http,
    allowedPorts: allowed_ports.length === 0 ? "any" : new Set(allowed_ports),
    allowedNetworks: allowed_networks,
    refusedNetworks: refused_networks,
  };
}
