import { type CallbackPolicySettings, publicCallbacks } from "../../callbacks/callback-url.ts";
import type { Config } from "../config/config.ts";
import { callbackSettings } from "./callback-settings.ts";

/** The endpoints of some push services are longer than callback URLs may be. */
const endpointLengthMax = 1_024;

/**
 * Where push messages may go: to public addresses by https, whatever callbacks may reach. The deployment's refused networks stay refused.
 * Only a sandbox reaches receivers on its own machine.
 */
export function pushPolicy(
  config: Pick<Config, "callbacks">,
  isSandbox: boolean,
): CallbackPolicySettings {
  const callbacks = callbackSettings(config);
  const policy = isSandbox
    ? callbacks
    : { ...publicCallbacks, refusedNetworks: callbacks.refusedNetworks };
  return { ...policy, lengthMax: endpointLengthMax };
}
