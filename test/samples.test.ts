/**
 * Runs the callback verification samples of docs/integration.md, unmodified, on a callback that was really sent: the genuine one
 * is accepted, forged ones are refused. A language missing on this machine is named on standard error.
 */

import { execFileSync, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../src/platform/kernel/system-clock.ts";
import { quietPort } from "./scenarios/support/quiet-port.ts";
import type { ReceivedCallback } from "./support/callback-receiver.ts";
import { useDatabase } from "./support/database.ts";
import { arrangeCallbacks, credential, webhookSecret } from "./support/dispatching.ts";
import { eventually } from "./support/eventually.ts";
import { useDispatching } from "./support/use-dispatching.ts";

type Request = { readonly body: string; readonly headers: Readonly<Record<string, string>> };
type Language = {
  /** Its name in the page's code blocks. */
  readonly name: string;
  /** The program that runs it. */
  readonly program: string;
  /** Whether the sample accepts each of the requests. */
  readonly judge: (
    sample: string,
    requests: readonly Request[],
    secret: string,
  ) => Promise<readonly boolean[]>;
};

const root = join(import.meta.dirname, "..");
const [, section = ""] =
  /## Verifying a callback\n([\s\S]*?)\n## /.exec(
    readFileSync(join(root, "docs/integration.md"), "utf8"),
  ) ?? [];
const samples = new Map(
  [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, name = "", code = ""]) => [
    name,
    code,
  ]),
);

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-samples-"));
  // The published client, because a fresh clone has not built it.
  const installed = join(folder, "node_modules/sluice-client");
  execFileSync("node", [join(root, "scripts/build-client.js"), join(installed, "dist")]);
  copyFileSync(join(root, "client/package.json"), join(installed, "package.json"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program that reads requests as JSON from standard input and prints a JSON list of results. */
function runOnce(
  command: string,
  words: readonly string[],
  requests: readonly Request[],
  secret: string,
): Promise<readonly boolean[]> {
  const text = execFileSync(command, words, {
    cwd: folder,
    input: JSON.stringify(requests),
    encoding: "utf8",
    env: { ...process.env, WEBHOOK_SECRET: secret, GOPROXY: "off", GOTOOLCHAIN: "local" },
  });
  return Promise.resolve(JSON.parse(text) as readonly boolean[]);
}

const typescript: Language = {
  name: "ts",
  program: "node",
  judge: (sample, requests, secret) => {
    const [imports = "", ...rest] = sample.split("\n\n");
    const program = `${imports}
      import { readFileSync } from "node:fs";
      const { login, password } = ${JSON.stringify(credential)};
      const receive = (request, body, respond, handleOnce) => (async () => { ${rest.join("\n\n")} })();
      const answers = [];
      for (const request of JSON.parse(readFileSync(0, "utf8"))) {
        const statuses = [];
        await receive(request, request.body, (status) => statuses.push(status), async () => statuses.push(200)).catch(() => {});
        answers.push(statuses.join() === "200");
      }
      console.log(JSON.stringify(answers));`;
    return runOnce("node", ["--input-type=module-typescript", "--eval", program], requests, secret);
  },
};

const python: Language = {
  name: "python",
  program: "python3",
  judge: (sample, requests, secret) => {
    const file = join(folder, "sample.py");
    writeFileSync(
      file,
      `${sample}
import os, sys

def accepts(request):
    try:
        document = verify_callback(request["body"].encode(), request["headers"], os.environ["WEBHOOK_SECRET"])
    except (ValueError, KeyError):
        return False
    return has_interface_signature(document, "${credential.login}", "${credential.password}")

print(json.dumps([accepts(request) for request in json.load(sys.stdin)]))
`,
    );
    return runOnce("python3", [file], requests, secret);
  },
};

const go: Language = {
  name: "go",
  program: "go",
  judge: (sample, requests, secret) => {
    const file = join(folder, "main.go");
    writeFileSync(
      file,
      `package main

import "os"

${sample}
type request struct {
	Body    string
	Headers map[string]string
}

func main() {
	var requests []request
	if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil {
		panic(err)
	}
	answers := []bool{}
	for _, one := range requests {
		header := http.Header{}
		for name, value := range one.Headers {
			header.Set(name, value)
		}
		isGenuine := verifyCallback([]byte(one.Body), header, os.Getenv("WEBHOOK_SECRET")) == nil
		isSigned := hasMetaSignature([]byte(one.Body), "${credential.login}", "${credential.password}")
		answers = append(answers, isGenuine && isSigned)
	}
	json.NewEncoder(os.Stdout).Encode(answers)
}
`,
    );
    return runOnce("go", ["run", file], requests, secret);
  },
};

/** PHP reads a request from its web server's variables, so it is called over HTTP by its own server. */
const php: Language = {
  name: "php",
  program: "php",
  judge: async (sample, requests, secret) => {
    const bySign = `hasMetaSignature($document, '${credential.login}', '${credential.password}')`;
    const rest = `if (!${bySign}) throw new RuntimeException('meta.sign');\necho $document['data']['id'];`;
    writeFileSync(join(folder, "index.php"), `<?php\n${sample}\n${rest}\n`);
    const address = `127.0.0.1:${await quietPort()}`;
    const words = ["-d", "display_errors=0", "-S", address, join(folder, "index.php")];
    const env = { ...process.env, WEBHOOK_SECRET: secret };
    const server = spawn("php", words, { cwd: folder, env, stdio: "ignore" });
    try {
      const post = ({ body, headers }: Request) =>
        fetch(`http://${address}/`, { method: "POST", body, headers });
      await eventually(
        () =>
          post({ body: "", headers: {} }).then(
            ({ status }) => status,
            () => 0,
          ),
        (status) => status === 500,
      );
      const answers: boolean[] = [];
      for (const request of requests) {
        const { status } = await post(request);
        expect([200, 500]).toContain(status);
        answers.push(status === 200);
      }
      return answers;
    } finally {
      server.kill();
    }
  },
};

const languages = [typescript, python, php, go];
const isHere = ({ program }: Language): boolean =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .some((directory) => existsSync(join(directory, program)));
const missing = languages.filter((language) => !isHere(language)).map(({ name }) => name);
if (missing.length > 0) {
  process.stderr.write(
    `\nNOT RUN: the samples in ${missing.join(", ")}, which this machine does not have.\n\n`,
  );
}

describe("callback samples", () => {
  it("are all run here", () => {
    expect([...samples.keys()].sort()).toEqual(languages.map(({ name }) => name).sort());
  });

  const database = useDatabase();
  const { receiver, dispatcher, finished } = useDispatching(database);

  /** A callback as a shop's server received it. */
  async function receiveOne(): Promise<Request> {
    const shop = await receiver();
    dispatcher();
    const payload = {
      data: { type: "deposit", id: "21", attributes: { tracking_id: "Müller – 7 €" } },
      included: [{ type: "transfer", id: "5", attributes: { status: 2, amount: "0.00100000" } }],
    };
    await arrangeCallbacks(database.db, [["21", shop.url]], { payload });
    await finished();
    const { body, headers } = shop.received[0] as ReceivedCallback;
    const names = ["webhook-id", "webhook-timestamp", "webhook-signature", "content-type"];
    return {
      body,
      headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
    };
  }

  /** The same request, sent at another time by someone with that secret. */
  function signedAt({ body, headers }: Request, secondsFromNow: number, secret: string): Request {
    const seconds = Math.floor(systemClock.now() / 1_000_000) + secondsFromNow;
    const id = headers["webhook-id"]!;
    const signature = new Webhook(secret).sign(id, new Date(seconds * 1000), body);
    return {
      body,
      headers: {
        ...headers,
        "webhook-timestamp": String(seconds),
        "webhook-signature": signature,
      },
    };
  }

  it.each(languages.filter(isHere))(
    "in $name accept genuine callbacks and refuse forged ones",
    { timeout: 900_000 },
    async ({ name, judge }) => {
      const genuine = await receiveOne();
      const { body, headers } = genuine;
      const signature = headers["webhook-signature"]!;
      const withHeader = (header: string, value: string): Request => ({
        body,
        headers: { ...headers, [header]: value },
      });
      const otherSecret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
      const cases: readonly (readonly [string, Request, boolean])[] = [
        ["as it was sent", genuine, true],
        // Three of the five minutes are for machines that compile the sample first.
        ["sent two minutes ago", signedAt(genuine, -120, webhookSecret), true],
        [
          "with a second signature before its own",
          withHeader("webhook-signature", `v1,${Buffer.alloc(32).toString("base64")} ${signature}`),
          true,
        ],
        ["with another amount", { body: body.replace("0.00100000", "9.00100000"), headers }, false],
        ["with a space more", { body: `${body} `, headers }, false],
        ["without a body", { body: "", headers }, false],
        ["with another id", withHeader("webhook-id", `${headers["webhook-id"]!}0`), false],
        [
          "with a time that was not signed",
          withHeader("webhook-timestamp", String(Number(headers["webhook-timestamp"]) + 1)),
          false,
        ],
        ["with an invalid time", withHeader("webhook-timestamp", "now"), false],
        ["without a signature", withHeader("webhook-signature", ""), false],
        ["with an empty signature", withHeader("webhook-signature", "v1,"), false],
        ["signed by another secret", signedAt(genuine, 0, otherSecret), false],
        ["sent six minutes ago", signedAt(genuine, -360, webhookSecret), false],
        ["from in half an hour", signedAt(genuine, 1_800, webhookSecret), false],
      ];
      const answers = await judge(
        samples.get(name) ?? "",
        cases.map(([, request]) => request),
        webhookSecret,
      );
      expect(cases.map(([title], index) => [title, answers[index]])).toEqual(
        cases.map(([title, , isAccepted]) => [title, isAccepted]),
      );
    },
  );

  it.each(languages.filter(isHere))(
    "in $name refuse every callback while their secret is not set",
    { timeout: 900_000 },
    async ({ name, judge }) => {
      const genuine = await receiveOne();
      const { "webhook-id": id, "webhook-timestamp": timestamp } = genuine.headers;
      const signature = createHmac("sha256", "")
        .update(`${id!}.${timestamp!}.${genuine.body}`)
        .digest("base64");
      const forged = {
        ...genuine,
        headers: { ...genuine.headers, "webhook-signature": `v1,${signature}` },
      };
      for (const secret of ["", "whsec_"]) {
        const answers = await judge(samples.get(name) ?? "", [genuine, forged], secret);
        expect(answers, `secret "${secret}"`).toEqual([false, false]);
      }
    },
  );
});
