/** Shown for URLs without a page. */
import { useLanguage } from '../language/language.tsx';
import { Empty } from '../parts/empty.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Page } from '../parts/page.tsx';

export function NotFound() {
  const { text } = useLanguage();
  return (
    <Page title={text.common.notFoundTitle}>
      <Empty icon="alert" title={text.common.notFound}>
        <LinkButton to="/">{text.common.toOverview}</LinkButton>
      </Empty>
    </Page>
  );
}
