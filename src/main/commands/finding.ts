import { readDatabaseHosts } from "../../platform/db/database-hosts.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Config } from "../config/config.ts";

/** What a check found out about one part of a deployment. */
export type Found = {
  /** Its state, or what is wrong. */
  readonly detail: string;
  /** What an operator should know although nothing is wrong. */
  readonly notes?: readonly string[];
};

/** The result of checking one part of a deployment. */
export type Finding = Required<Found> & {
  /** The part, without secrets: `BTC node 10.0.0.5:8332`. */
  readonly item: string;
  readonly isWell: boolean;
};

const patienceMs = 20_000;

/** Checks one part for at most 20 seconds; an error that `check` throws becomes the finding. */
export async function examine(
  item: string,
  clock: Clock,
  check: (signal: AbortSignal) => Promise<Found>,
): Promise<Finding> {
  const done = new AbortController();
  const expired = new AbortController();
  const expiry = clock.sleep(patienceMs, done.signal).then(() => {
    expired.abort();
    throw new Error(`no answer within ${patienceMs / 1000} s`);
  });
  try {
    const { detail, notes = [] } = await Promise.race([check(expired.signal), expiry]);
    return { item, isWell: true, detail, notes };
  } catch (error) {
    return { item, isWell: false, detail: errorMessage(error), notes: [] };
  } finally {
    expiry.catch(() => undefined);
    done.abort();
  }
}

/** A path segment of this length in a URL is a key, not a word. */
const keyLengthMin = 16;
/** Shorter passwords also occur in ordinary words. */
const passwordLengthMin = 8;

/**
 * Creates a function that removes possible secrets of the configuration from a text: credentials in URLs, the paths and queries
 * of nodes and services, which contain keys at many providers, and the headers of nodes.
 */
export function createRedactor(config: Config): (text: string) => string {
  const nodes = Object.values(config.chains).flatMap((chain) => chain.nodes);
  const services = [
    ...nodes.map(({ url }) => url),
    ...(config.screening === undefined ? [] : [config.screening.url]),
  ];
  const databases = readDatabaseHosts(config.database.url).urls;
  const secrets = [config.database.url, ...databases, ...services].flatMap((text) => {
    if (!URL.canParse(text)) return [text];
    const { password, pathname, search } = new URL(text);
    const passwords = [password, decodeURIComponent(password)].filter(
      (word) => word.length >= passwordLengthMin,
    );
    const place = `${pathname}${search}`;
    const keys = place.split(/[/?&=]/).filter((word) => word.length >= keyLengthMin);
    const isDatabase = databases.includes(text);
    return [text, ...passwords, ...(isDatabase || place === "/" ? [] : [place, ...keys])];
  });
  const headers = nodes
    .flatMap((node) => Object.values(node.headers))
    .filter((value) => value.length >= passwordLengthMin);
  // Longest first, so that a secret that contains another is removed completely.
  const longestFirst = [...new Set([...secrets, ...headers])].toSorted(
    (a, b) => b.length - a.length,
  );
  return (text) =>
    longestFirst
      .reduce((rest, secret) => rest.replaceAll(secret, "***"), text)
      .replaceAll(/\/\/[^\s/@]*@/g, "//***@");
}
