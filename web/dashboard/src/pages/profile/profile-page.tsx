import { Alert, Stack } from "@mantine/core";
import { useMe } from "../../api/me.ts";
import { PageHeader } from "../../components/page-header.tsx";
import "./profile.css";
import { NotificationSection } from "./notification-section.tsx";
import { PasskeySection } from "./passkey-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { RecoverySection } from "./recovery-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { TotpSection } from "./totp-section.tsx";

/** The member's login, second factors and active sessions. */
export function ProfilePage() {
  const me = useMe();
  if (me === null) return <PageHeader title="Profile and security" />;
  return (
    <>
      <PageHeader
        title="Profile and security"
        description={`Sign-in settings for ${me.name} at ${me.account_name}.`}
      />
      <Stack gap="lg">
        {me.must_change_password ? (
          <Alert color="amber" title="Set a new password to continue.">
            You signed in with an initial password that someone else has seen.
          </Alert>
        ) : null}
        <PasswordSection me={me} />
        {me.must_change_password ? null : (
          <>
            <TotpSection me={me} />
            <PasskeySection />
            {me.has_totp || me.passkey_count > 0 ? <RecoverySection me={me} /> : null}
            <NotificationSection me={me} />
          </>
        )}
        <SessionsSection />
      </Stack>
    </>
  );
}
