import { readFileSync } from "node:fs";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";

export type EtcdAccess = {
  /** Base URLs of the members. */
  readonly endpoints: readonly string[];
  /** PEM files: this host's certificate and key, and the authority of etcd's certificates. Absent: plain HTTP. */
  readonly files?: {
    readonly certificateFile: string;
    readonly keyFile: string;
    readonly authorityFile: string;
  };
  /** A user of etcd, if its authentication is enabled. The gateway does not take the name in a certificate for a user. */
  readonly login?: { readonly user: string; readonly passwordFile: string };
};

const timeoutMs = 2_000;
const answerBytesMax = 64 * 1024;

/** An answer other than 200. */
class Refusal extends Error {
  override readonly name = "Refusal";
  readonly isOfLogin: boolean;
  constructor(status: number, text: string) {
    super(`HTTP ${status} ${text.slice(0, 200)}`);
    // An unknown or expired token; one that is older than the last change of users or roles.
    this.isOfLogin = status === 401 || text.includes("revision of auth store is old");
  }
}

/** Asks etcd's JSON gateway (API v3): one member after the other until one answers. Rejects with Unavailable if none does. */
export function createEtcdGateway(
  access: EtcdAccess,
): (path: string, body: unknown) => Promise<unknown> {
  let token: string | null = null;

  const ask = (endpoint: string, path: string, body: unknown): Promise<unknown> =>
    post(new URL(path, endpoint), JSON.stringify(body), access.files, token);

  const logIn = async (
    endpoint: string,
    { user, passwordFile }: NonNullable<EtcdAccess["login"]>,
  ): Promise<void> => {
    token = null;
    const password = readFileSync(passwordFile, "utf8").trim();
    const answer = await ask(endpoint, "/v3/auth/authenticate", { name: user, password });
    token = (answer as { token: string }).token;
  };

  const askLoggedIn = async (endpoint: string, path: string, body: unknown): Promise<unknown> => {
    const { login } = access;
    if (login === undefined) return ask(endpoint, path, body);
    if (token === null) await logIn(endpoint, login);
    try {
      return await ask(endpoint, path, body);
    } catch (error) {
      if (!(error instanceof Refusal && error.isOfLogin)) throw error;
      await logIn(endpoint, login);
      return ask(endpoint, path, body);
    }
  };

  return async (path, body) => {
    let failure = "no endpoint is configured";
    for (const endpoint of access.endpoints) {
      try {
        return await askLoggedIn(endpoint, path, body);
      } catch (error) {
        failure = `${endpoint}: ${errorMessage(error)}`;
      }
    }
    throw new Unavailable("witness", failure);
  };
}

function post(
  url: URL,
  body: string,
  files: EtcdAccess["files"],
  token: string | null,
): Promise<unknown> {
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
    const headers = {
      "content-type": "application/json",
      ...(token === null ? {} : { authorization: token }),
    };
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
          reject(new Refusal(response.statusCode ?? 0, text));
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
