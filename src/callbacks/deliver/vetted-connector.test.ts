import { expect, test } from "vitest";
import { startReceiver } from "../../../test/support/callback-receiver.ts";
import { AddressRefused, vettedConnector } from "./vetted-connector.ts";

// Shows the last line of defence by itself: what reaches the connector without having been looked at before.

test.each(["127.0.0.1", "[::1]", "::ffff:127.0.0.1", "169.254.169.254"])(
  "the address literal %s, for which Node asks no lookup, is refused",
  async (hostname) => {
    const receiver = await startReceiver();
    const connect = vettedConnector({
      mayReach: () => false,
      resolve: () => Promise.resolve([]),
      connectTimeoutMs: 1_000,
    });
    const port = receiver.host.split(":")[1] ?? "";
    const target = { hostname, host: receiver.host, protocol: "http:", port };
    const error = await new Promise((resolve) => {
      connect(target, (...[failure]) => {
        resolve(failure);
      });
    });
    expect(error).toBeInstanceOf(AddressRefused);
    await receiver.close();
  },
);
