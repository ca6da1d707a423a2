import {
  type AddressInfo,
  connect,
  createServer,
  type NetConnectOpts,
  type Server,
  type Socket,
} from "node:net";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";

/** A TCP port of this machine, or a Unix socket. */
export type Endpoint = { readonly port: number } | { readonly path: string };

/**
 * What happens to the connections of a relay. `cut`: they are reset, and so is every new one. `silent`: whatever is sent vanishes, and no side
 * learns that the other one has left. `slow`: everything arrives later by that time, in each direction.
 */
export type Disturbance =
  | { readonly kind: "cut" }
  | { readonly kind: "silent" }
  | { readonly kind: "slow"; readonly delayMs: number };

/** Stands between two processes and passes on what they send, as a network does. */
export type Relay = {
  readonly at: Endpoint;
  /** Replaces the present disturbance; returns a function that ends it, unless another one has replaced it. */
  readonly disturb: (disturbance: Disturbance) => () => void;
  readonly close: () => Promise<void>;
};

/**
 * How long a connection that lost something in a silence stays as it is: nothing passes any more, as behind a firewall that has forgotten it.
 * Then both sides see a reset, which the kernels' keep-alive probes give them on a real network.
 */
const keepAliveMs = 40_000;

type Link = {
  readonly near: Socket;
  /** Null while it is not connected. */
  far: Socket | null;
  isLost: boolean;
};

/** Starts a relay to `target` that listens at `at`; port 0 takes a free one. */
export async function startRelay(at: Endpoint, target: Endpoint): Promise<Relay> {
  let present: Disturbance | null = null;
  const links = new Set<Link>();
  const closing = new AbortController();

  const reset = (link: Link): void => {
    links.delete(link);
    resetSocket(link.near);
    if (link.far !== null) resetSocket(link.far);
  };
  const lose = (link: Link): void => {
    if (link.isLost) return;
    link.isLost = true;
    void systemClock.sleep(keepAliveMs, closing.signal).then(() => {
      reset(link);
    });
  };
  /** Runs `work` when what it passes on has arrived, which is never if the connection is silent then. */
  const inOrder = (link: Link): ((work: () => void) => void) => {
    let last: Promise<unknown> | null = null;
    const arrive = (work: () => void): void => {
      if (present?.kind === "silent") lose(link);
      if (!link.isLost) work();
    };
    return (work) => {
      if (present?.kind === "silent") lose(link);
      if (present?.kind !== "slow" && last === null) {
        arrive(work);
        return;
      }
      const arrived = sleepFrom(last, present?.kind === "slow" ? present.delayMs : 0).then(() => {
        arrive(work);
        if (last === arrived) last = null;
      });
      last = arrived;
    };
  };
  const carry = (link: Link, source: Socket, sink: Socket): void => {
    const pass = inOrder(link);
    source.on("data", (chunk) => {
      pass(() => sink.writable && sink.write(chunk));
    });
    source.on("end", () => {
      pass(() => sink.end());
    });
    source.on("close", (hadError) => {
      pass(() => {
        if (hadError) resetSocket(sink);
        else sink.destroySoon();
        links.delete(link);
      });
    });
  };
  const open = (link: Link): void => {
    const { near } = link;
    const far = connect({ ...(target as NetConnectOpts), allowHalfOpen: true });
    link.far = far;
    far.on("error", () => undefined);
    const refuse = (): void => {
      if (!link.isLost) reset(link);
    };
    far.once("error", refuse);
    far.once("connect", () => {
      far.off("error", refuse);
      carry(link, near, far);
      carry(link, far, near);
      near.resume();
    });
  };

  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (near) => {
    const link: Link = { near, far: null, isLost: false };
    near.on("error", () => undefined);
    links.add(link);
    if (present?.kind === "cut") reset(link);
    else if (present?.kind === "silent") {
      lose(link);
      near.resume();
    } else
      inOrder(link)(() => {
        open(link);
      });
  });
  return {
    at: await listen(server, at),
    disturb: (disturbance) => {
      present = disturbance;
      if (disturbance.kind === "cut") for (const link of links) reset(link);
      return () => {
        if (present === disturbance) present = null;
      };
    },
    close: async () => {
      closing.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      for (const link of links) reset(link);
      await closed;
    },
  };
}

/** A Unix socket knows no reset. */
function resetSocket(socket: Socket): void {
  if (socket.remoteFamily === undefined) socket.destroy();
  else socket.resetAndDestroy();
}

/** Resolves after the time, but not before `last` has. */
async function sleepFrom(last: Promise<unknown> | null, ms: number): Promise<void> {
  await Promise.all([last, systemClock.sleep(ms)]);
}

async function listen(server: Server, at: Endpoint): Promise<Endpoint> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen("port" in at ? { port: at.port, host: "127.0.0.1" } : { path: at.path }, resolve);
  });
  return "port" in at ? { port: (server.address() as AddressInfo).port } : at;
}
