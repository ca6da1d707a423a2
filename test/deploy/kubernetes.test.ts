/**
 * The Kubernetes manifests: valid by the API's own schemas, with settings that make a valid configuration for each role, confined
 * containers, and a signer that only workers reach. No cluster is started: no engine is there on a test machine.
 */
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Deployment, StatefulSet } from "kubernetes-models/apps/v1/index";
import { Job } from "kubernetes-models/batch/v1/index";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/index";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/index";
import { ConfigMap, Namespace, Service } from "kubernetes-models/v1/index";
import { afterAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { readConfig } from "../../src/main/config/read-config.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { readDockerfile } from "./read-dockerfile.ts";

type Container = {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
  readonly startupProbe?: object;
};
type Pod = {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly automountServiceAccountToken: boolean;
    readonly securityContext: Readonly<Record<string, unknown>>;
    readonly initContainers?: readonly Container[];
    readonly containers: readonly Container[];
    readonly volumes: readonly {
      readonly name: string;
      readonly secret?: { readonly secretName: string };
    }[];
  };
};
type Selector = { readonly matchLabels?: Readonly<Record<string, string>> };
type Manifest = {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: Pod;
    readonly selector?: Selector;
    readonly podSelector?: Selector;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly object[];
    readonly egress?: readonly object[];
  };
};

const folder = join(import.meta.dirname, "../../deploy/kubernetes");
const scratch = mkdtempSync(join(tmpdir(), "sluice-kubernetes-"));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

const manifests = readdirSync(folder).flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), "utf8")).map((document) => {
    expect([file, document.errors]).toEqual([file, []]);
    return document.toJS() as Manifest;
  }),
);
const models = {
  ConfigMap,
  Deployment,
  Job,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
  StatefulSet,
};
const pods = manifests.flatMap(({ metadata, spec }) =>
  spec?.template === undefined ? [] : [{ role: metadata.name, pod: spec.template }],
);
const image = readDockerfile();

function find(kind: string, name: string): Manifest {
  return present(
    manifests.find((one) => one.kind === kind && one.metadata.name === name),
    `${kind} ${name}`,
  );
}

/** What a container's process finds in its environment, with every mounted secret in a folder of this test. */
function environmentOf({ env = [] }: Container): Record<string, string> {
  const settings = join(scratch, "sluice.toml");
  writeFileSync(settings, find("ConfigMap", "settings").data?.["sluice.toml"] ?? "");
  const given = { ...image.environment };
  for (const { name, value } of env) {
    if (!value.startsWith("/run/secrets/")) {
      given[name] = value.replace("/etc/sluice/sluice.toml", settings);
      continue;
    }
    const path = join(scratch, value);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `http://user:hidden@${name.toLowerCase()}\n`);
    given[name] = path;
  }
  return given;
}

describe("the Kubernetes manifests", () => {
  it.each(manifests.map((one) => [one.kind, one.metadata.name, one] as const))(
    "describe %s %s as the API's schema requires, in the namespace",
    (kind, name, manifest) => {
      const Model = models[kind as keyof typeof models] as unknown as new (
        from: unknown,
      ) => { validate(): void };
      new Model(manifest).validate();
      expect(manifest.metadata.namespace).toBe(kind === "Namespace" ? undefined : "sluice");
      expect(name).not.toBe("");
    },
  );

  it("are compared with schemas that refuse what they do not know", () => {
    expect(() => {
      new Deployment({ spec: {} } as never).validate();
    }).toThrow(/required/);
  });

  it("copy the signer's folder once, and never over an existing keystore", () => {
    const { pod } = present(pods.find(({ role }) => role === "signer") ?? null, "the signer");
    const [copy] = pod.spec.initContainers ?? [];
    const [script = ""] = copy?.args ?? [];
    const [secrets, state] = [join(scratch, "secrets"), join(scratch, "state")];
    mkdirSync(secrets);
    const here = script
      .replaceAll("/run/secrets/signer", secrets)
      .replaceAll("/var/lib/sluice", state);
    const write = (content: string): void => {
      for (const name of ["ca.crt", "signer.crt", "signer.key", "clients.json", "keystore.json"])
        writeFileSync(join(secrets, name), `${content} ${name}`);
    };
    write("first");
    execFileSync("/bin/sh", ["-c", here]);
    write("second");
    execFileSync("/bin/sh", ["-c", here]);
    const keystore = join(state, "signer/keystore.json");
    expect(readFileSync(keystore, "utf8")).toBe("first keystore.json");
    expect(readFileSync(join(state, "signer/tls/signer.key"), "utf8")).toBe("first signer.key");
    expect(statSync(keystore).mode & 0o777).toBe(0o600);
    expect(statSync(join(state, "signer")).mode & 0o777).toBe(0o700);
  });

  it("run the four roles, and each workload selects its own pods", () => {
    expect(pods.map(({ role }) => role).sort()).toEqual(["api", "migrate", "signer", "worker"]);
    for (const { role, pod } of pods) {
      expect(pod.metadata.labels).toEqual({ app: "sluice", role });
      expect(pod.spec.containers.map(({ args }) => args)).toEqual([[role]]);
    }
    for (const { kind, metadata, spec } of manifests)
      if (["Deployment", "StatefulSet", "PodDisruptionBudget"].includes(kind))
        expect(spec?.selector).toEqual({ matchLabels: { app: "sluice", role: metadata.name } });
  });

  it.each(pods)("configure $role", async ({ role, pod }) => {
    const [container] = pod.spec.containers;
    const environment = environmentOf(present(container ?? null, "a container"));
    const config = await readConfig(environment["SLUICE_CONFIG"] ?? "", environment);
    expect(config.database.url.includes("hidden")).toBe(role !== "signer");
    expect(config.signer.listen?.port).toBe(role === "signer" ? 7643 : undefined);
    expect(config.signer.remote?.host).toBe(role === "worker" ? "signer" : undefined);
  });

  it.each(pods)("mount every file that $role reads, and no other secret", ({ role, pod }) => {
    const needed = {
      api: ["approval-key", "data-key", "database"],
      migrate: ["database"],
      signer: ["signer"],
      worker: ["data-key", "database", "nodes", "worker-certificate"],
    }[role];
    const secrets = pod.spec.volumes.flatMap(({ secret }) => secret?.secretName ?? []);
    expect(secrets.sort()).toEqual(needed);
    for (const { env = [], volumeMounts } of pod.spec.containers)
      for (const { value } of env.filter((one) => one.value.startsWith("/run/")))
        expect(volumeMounts.map(({ mountPath }) => mountPath)).toContain(dirname(value));
  });

  it.each(pods)("confine $role", ({ pod: { spec } }) => {
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: image.user.uid,
      seccompProfile: { type: "RuntimeDefault" },
    });
    for (const { securityContext } of [...spec.containers, ...(spec.initContainers ?? [])])
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
  });

  it("probe every lasting role, and allow no drain to end its last pod", () => {
    for (const { role, pod } of pods.filter((one) => one.role !== "migrate")) {
      for (const { startupProbe, livenessProbe, readinessProbe } of pod.spec.containers)
        expect([role, startupProbe, livenessProbe, readinessProbe]).not.toContain(undefined);
      expect(find("PodDisruptionBudget", role).spec).toMatchObject({ minAvailable: 1 });
    }
  });

  it("let only workers reach the signer, and the signer nothing", () => {
    expect(find("NetworkPolicy", "deny-ingress").spec).toEqual({
      podSelector: {},
      policyTypes: ["Ingress"],
    });
    expect(find("NetworkPolicy", "signer").spec).toEqual({
      podSelector: { matchLabels: { app: "sluice", role: "signer" } },
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        {
          from: [{ podSelector: { matchLabels: { app: "sluice", role: "worker" } } }],
          ports: [{ protocol: "TCP", port: 7643 }],
        },
      ],
      egress: [],
    });
    const policies = manifests.filter(({ kind }) => kind === "NetworkPolicy");
    const admits = policies.filter(({ spec }) =>
      ["signer", undefined].includes(spec?.podSelector?.matchLabels?.["role"]),
    );
    expect(admits.map(({ metadata }) => metadata.name).sort()).toEqual(["deny-ingress", "signer"]);
  });
});
