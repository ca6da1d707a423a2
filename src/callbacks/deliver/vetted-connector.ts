import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import type { AddressCheck } from "./refused-addresses.ts";
import type { ResolvedAddress, ResolveHost } from "./resolve-host.ts";

/** The receiver's address, or every address its name resolves to, is one that callbacks may not reach. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

/** The receiver's name has no address. */
export class NameNotResolved extends Error {
  override readonly name = "NameNotResolved";
}

/**
 * Connects to vetted addresses only. The name is resolved once and the socket gets exactly the addresses that
 * passed, which defeats DNS rebinding. Node does not call `lookup` for address literals, so those are checked first.
 */
export function vettedConnector(options: {
  readonly mayReach: AddressCheck;
  readonly resolve: ResolveHost;
  readonly connectTimeoutMs: number;
}): buildConnector.connector {
  const lookup: LookupFunction = (hostname, lookupOptions, callback) => {
    vettedAddresses(hostname, options.resolve, options.mayReach).then(
      ([first, ...others]) => {
        if (lookupOptions.all === true) callback(null, [first, ...others]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => {
        callback(error as NodeJS.ErrnoException, "", 4);
      },
    );
  };
  const connect = buildConnector({ timeout: options.connectTimeoutMs, lookup, allowH2: false });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) !== 0 && !options.mayReach(host)) {
      callback(new AddressRefused(host), null);
      return;
    }
    connect(target, callback);
  };
}

/** The allowed addresses of a name. Rejects with `NameNotResolved` or `AddressRefused` if there are none. */
async function vettedAddresses(
  hostname: string,
  resolve: ResolveHost,
  mayReach: AddressCheck,
): Promise<[ResolvedAddress, ...ResolvedAddress[]]> {
  const found = await resolve(hostname.replace(/\.+$/, "")).catch(() => []);
  if (found.length === 0) throw new NameNotResolved(hostname);
  const [first, ...others] = found.filter((address) => mayReach(address.address));
  if (first === undefined) throw new AddressRefused(hostname);
  return [first, ...others];
}
