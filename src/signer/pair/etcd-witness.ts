import { readFileSync } from "node:fs";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { parsePairRecord, type Witness } from "./witness.ts";

export type EtcdSettings = {
  /** Base URLs of the members. */
  readonly endpoints: readonly string[];
  /** The key of the pair's record. */
  readonly key: string;
  /** PEM files: this host's certificate and key, and the authority of etcd's certificates. Absent: plain HTTP. */
  readonly files?: {
    readonly certificateFile: string;
    readonly keyFile: string;
    readonly authorityFile: string;
  };
};

const timeoutMs = 2_000;
const answerBytesMax = 64 * 1024;

type KeyValue = { readonly value: string; readonly mod_revision: string };

/**
 * Keeps the pair's record in etcd (API v3, its JSON gateway). A compare-and-put on the key's revision replaces the record;
 * reads are linearizable, which is etcd's default.
 */
export function createEtcdWitness(settings: EtcdSettings): Witness {
  const key = base64(settings.key);

  const ask = async (path: string, body: unknown): Promise<unknown> => {
    let failure = "no endpoint is configured";
    for (const endpoint of settings.endpoints) {
      try {
        return await post(new URL(path, endpoint), JSON.stringify(body), settings.files);
      } catch (error) {
        failure = `${endpoint}: ${errorMessage(error)}`;
      }
    }
    throw new Unavailable("witness", failure);
  };

  const read: Witness["read"] = async () => {
    const { kvs } = (await ask("/v3/kv/range", { key })) as { kvs?: readonly KeyValue[] };
    const found = kvs?.[0];
    if (found === undefined) return null;
    const text = Buffer.from(found.value, "base64").toString("utf8");
    return { record: parsePairRecord(text), revision: found.mod_revision };
  };

  const replace: Witness["replace"] = async (record, revision) => {
    const text = JSON.stringify(record);
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
    return seen !== null && JSON.stringify(seen.record) === text ? seen.revision : null;
  };

  return { read, replace };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function post(url: URL, body: string, files: EtcdSettings["files"]): Promise<unknown> {
  const tls =
    files === undefined
      ? {}
      : {
          cert: readFileSync(files.certificateFile),
          key: readFileSync(files.keyFile),
          ca: readFileSync(files.authorityFile),
        };
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = { "content-type": "application/json" };
    const request = send(url, { method: "POST", headers, signal, ...tls }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("error", reject);
      response.on("data", (part: string) => {
        text += part;
        if (text.length > answerBytesMax) request.destroy(new Error("the answer is too long"));
      });
      response.on("end", () => {
        if (response.statusCode !== 200) {
          reject(new Error(`HTTP ${response.statusCode ?? 0} ${text.slice(0, 200)}`));
          return;
        }
        try {
          resolve(JSON.parse(text));
        } catch (error) {
          reject(new Error("the answer is not JSON", { cause: error }));
        }
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}
