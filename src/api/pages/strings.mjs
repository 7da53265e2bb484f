/** The texts. Browsers get only those that their modules use. */
import texts from './strings.json' with { type: 'json' };

export { texts };
