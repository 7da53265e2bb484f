/** The texts. Browsers are served those that their modules use. */
import texts from './strings.json' with { type: 'json' };

export { texts };
