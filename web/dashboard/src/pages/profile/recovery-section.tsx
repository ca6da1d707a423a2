import { Button, CopyButton, Group, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import type { Me } from "../../api/me.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { useAction } from "../../components/use-action.ts";
import { withReauthentication } from "../../components/with-reauthentication.tsx";
import { t } from "../../language/t.ts";

/** Single-use codes for signing in without the authenticator app or passkey. */
export function RecoverySection({ me }: { readonly me: Me }) {
  const queryClient = useQueryClient();
  const generating = useAction({
    mutationFn: () => withReauthentication(() => api.post("/recovery-code/")),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["me"] }),
  });
  const codes = generating.data?.data.attributes.codes ?? [];
  const left = me.recovery_codes_left;
  return (
    <Section
      title={t("Recovery codes")}
      action={
        <Button
          variant={left === 0 ? "filled" : "default"}
          loading={generating.isPending}
          onClick={() => {
            generating.mutate();
          }}
        >
          {left === 0 ? t("Generate recovery codes") : t("Generate new codes")}
        </Button>
      }
    >
      <Stack gap="sm" align="flex-start">
        <StatusBadge tone={left < 4 ? "attention" : "good"} label={t("{left} left", { left })} />
        <Text>
          {t(
            "Use a code to sign in if you lose your device. Each code works once. If you lose both, an Owner must reset your access.",
          )}
        </Text>
      </Stack>
      <Dialog opened={codes.length > 0} onClose={generating.reset} title={t("Your recovery codes")}>
        <Stack>
          <Text>
            {t(
              "Store these codes somewhere safe, away from your device. They won't be shown again. Any previous codes no longer work.",
            )}
          </Text>
          <ol className="recovery-codes" aria-label={t("Recovery codes")}>
            {codes.map((code) => (
              <li key={code} className="code-text">
                {code}
              </li>
            ))}
          </ol>
          <Group justify="flex-end">
            <CopyAllButton codes={codes} />
            <Button onClick={generating.reset}>{t("Done")}</Button>
          </Group>
        </Stack>
      </Dialog>
    </Section>
  );
}

function CopyAllButton({ codes }: { readonly codes: readonly string[] }) {
  return (
    <CopyButton value={codes.join("\n")} timeout={1_800}>
      {({ copied, copy }) => (
        <>
          <Button variant="default" onClick={copy}>
            {copied ? t("Copied") : t("Copy all codes")}
          </Button>
          <span className="visually-hidden" role="status">
            {copied ? t("Copied") : ""}
          </span>
        </>
      )}
    </CopyButton>
  );
}
