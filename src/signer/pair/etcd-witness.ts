import { createEtcdGateway, type EtcdAccess } from "./etcd-gateway.ts";
import { formatPairRecord, parsePairRecord, type Witness } from "./witness.ts";

export type EtcdSettings = EtcdAccess & {
  /** The key of the pair's record. */
  readonly key: string;
};

type KeyValue = { readonly value: string; readonly mod_revision: string };

/**
 * Keeps the pair's record in etcd (API v3, its JSON gateway). A compare-and-put on the key's revision replaces the record;
 * reads are linearizable, which is etcd's default.
 */
export function createEtcdWitness(settings: EtcdSettings): Witness {
  const key = base64(settings.key);

  const ask = createEtcdGateway(settings);

  const read: Witness["read"] = async () => {
    const { kvs } = (await ask("/v3/kv/range", { key })) as { kvs?: readonly KeyValue[] };
    const found = kvs?.[0];
    if (found === undefined) return null;
    const text = Buffer.from(found.value, "base64").toString("utf8");
    return { record: parsePairRecord(text), revision: found.mod_revision };
  };

  const replace: Witness["replace"] = async (record, revision) => {
    const text = formatPairRecord(record);
    const compare =
      revision === null
        ? { key, target: "CREATE", create_revision: "0" }
        : { key, target: "MOD", mod_revision: revision };
    const put = { request_put: { key, value: base64(text) } };
    const answer = await ask("/v3/kv/txn", { compare: [compare], success: [put] });
    const { succeeded, header } = answer as {
      succeeded?: boolean;
      header: { revision: string };
    };
    if (succeeded === true) return header.revision;
    // A member that did not answer may have replaced the record before another one was asked.
    const seen = await read();
    return seen !== null && formatPairRecord(seen.record) === text ? seen.revision : null;
  };

  return { read, replace };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
