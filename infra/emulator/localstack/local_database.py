"""Makes LocalStack use the local service's database instead of downloading one that needs Java."""

import os

from localstack.runtime import hooks


@hooks.on_infra_start(priority=100)
def use_local_database():
    from localstack.aws.forwarder import AwsRequestProxy
    from localstack.services.dynamodb.server import DynamodbServer

    url = os.environ["LOCAL_DATABASE_URL"]
    # The process that sets the URL also starts and stops the server.
    DynamodbServer.start_dynamodb = lambda server: setattr(server, "proxy", AwsRequestProxy(url)) or True
    DynamodbServer.stop_dynamodb = lambda server: None
    DynamodbServer.url = property(lambda server: url)
